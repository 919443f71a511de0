import { HeadlightError } from './errors.js';
import { yieldToEventLoop } from './event-loop.js';
import { Scheduler } from './scheduler.js';
import { startBuild, type BuildOptions, type StartedBuild } from './builds.js';
import type { Engine, EngineInfo, RunHooks, RunRequest, WeightFiles } from './engine.js';
import type { WasmInstance } from './wasm.js';

/** Weights are packed in pieces of this many bytes, so that the thread stays responsive. */
const feedBytes = 1 << 18;
const feedMilliseconds = 8;

interface RunReply {
  result: unknown[];
  tensors: { address: number; length: number }[];
}

/** The engine on this thread. */
export class LocalEngine implements Engine {
  #wasm: WasmInstance | null;
  readonly #scheduler = new Scheduler();
  #lastYield = 0;

  readonly started: StartedBuild;

  private constructor(wasm: WasmInstance, started: StartedBuild) {
    this.#wasm = wasm;
    this.started = started;
  }

  static async start(options: BuildOptions): Promise<LocalEngine> {
    const { wasm, ...started } = await startBuild(options);
    return new LocalEngine(wasm, started);
  }

  async createLoader(options: { precision: string }): Promise<void> {
    const { build, threads } = this.started;
    this.#instance.send({ ...options, threads, scalarKernels: build === 'scalar' }, (glue, size) => glue._hl_loader_create(size));
  }

  async addFile(name: string, bytes: Uint8Array): Promise<void> {
    const nameBytes = new TextEncoder().encode(name);
    const wasm = this.#instance;
    const size = wasm.write(nameBytes, bytes);
    wasm.call((glue) => glue._hl_loader_file(nameBytes.length, size));
  }

  async weightFiles(listing: string[] | null, missing: string[]): Promise<WeightFiles> {
    const wasm = this.#instance;
    wasm.send({ listing, missing }, (glue, size) => glue._hl_loader_weight_files(size));
    return wasm.replyJson() as WeightFiles;
  }

  async beginWeights(name: string, size: number | null): Promise<void> {
    this.#instance.send({ name, size }, (glue, request) => glue._hl_loader_begin(request));
  }

  async feedWeights(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; start += feedBytes) {
      const wasm = this.#instance;
      const size = wasm.write(bytes.subarray(start, start + feedBytes));
      wasm.call((glue) => glue._hl_loader_feed(size));
      if (performance.now() - this.#lastYield > feedMilliseconds) {
        await yieldToEventLoop();
        this.#lastYield = performance.now();
      }
    }
  }

  async endWeights(): Promise<void> {
    this.#instance.call((glue) => glue._hl_loader_end());
  }

  async finishModel(): Promise<EngineInfo> {
    const wasm = this.#instance;
    wasm.call((glue) => glue._hl_loader_finish());
    return (wasm.replyJson() as { info: EngineInfo }).info;
  }

  async createTokenizer(): Promise<void> {
    this.#instance.call((glue) => glue._hl_tokenizer_create());
  }

  async query(method: string, params: object): Promise<unknown> {
    const wasm = this.#instance;
    wasm.send({ method, params }, (glue, size) => glue._hl_query(size));
    return (wasm.replyJson() as { result: unknown }).result;
  }

  async run(request: RunRequest, hooks: RunHooks): Promise<unknown[]> {
    const wasm = this.#instance;
    let run = 0;
    return this.#scheduler.run({
      ...hooks,
      begin() {
        wasm.send(request, (glue, size) => glue._hl_begin(size));
        const reply = wasm.replyJson() as { run: number; work: number };
        run = reply.run;
        return reply.work;
      },
      step: (work) => wasm.step(run, work),
      progress: () => wasm.progress(run),
      result() {
        wasm.call((glue) => glue._hl_result(run));
        return readResult(wasm, wasm.replyJson() as RunReply);
      },
      end() {
        if (run !== 0) wasm.end(run);
      },
    });
  }

  dispose(): void {
    this.#scheduler.dispose();
    this.#wasm?.dispose();
    this.#wasm = null;
  }

  get #instance(): WasmInstance {
    if (!this.#wasm) throw new HeadlightError('E_DISPOSED', 'The model was disposed of');
    return this.#wasm;
  }
}

/** Puts copies of the tensors where the result refers to them. */
function readResult(wasm: WasmInstance, { result, tensors }: RunReply): unknown[] {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $tensor, ...rest } = value as { $tensor?: number };
    const tensor = $tensor === undefined ? undefined : tensors[$tensor];
    if (tensor) return { data: wasm.floats(tensor.address, tensor.length), ...rest };
    return Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, resolve(item)]));
  };
  return result.map(resolve);
}
