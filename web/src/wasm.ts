// One WebAssembly instance: starts it, passes requests in and replies out (wasm/bindings.cpp).

import createHeadlight, { type Glue, type GlueOptions } from 'headlight-glue';
import createWithThreads from 'headlight-threads-glue';
import { HeadlightError, describe, isOutOfMemory, type ErrorReport } from './errors.js';
import { nodeModule } from './node.js';
import { WorkerPool } from './pool.js';
import { toJson } from './text.js';
import type { ShippedBuild } from './build-names.js';

export interface SelfTest {
  build: ShippedBuild;
  failing: string[];
}

/** A build with threads starts as many workers; these take a few tens of milliseconds each. */
export interface Threads {
  count: number;
  /** Address of threads-worker.js where it does not lie beside this module. */
  workerUrl: string | URL | undefined;
}

const threadsMilliseconds = 10_000;

export class WasmInstance {
  readonly #glue: Glue;
  readonly #memory: WebAssembly.Memory;
  readonly #pool: WorkerPool | undefined;
  /** Set by a trap, after which nothing in the instance can be trusted. */
  #broken: HeadlightError | null = null;

  private constructor(glue: Glue, memory: WebAssembly.Memory, pool: WorkerPool | undefined) {
    this.#glue = glue;
    this.#memory = memory;
    this.#pool = pool;
  }

  /** url: of a build with threads, where they are given. */
  static async start(url: string | URL, threads?: Threads): Promise<WasmInstance> {
    const module = await compile(url);
    let pool: WorkerPool | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      let memory: WebAssembly.Memory | undefined;
      const glue = await new Promise<Glue>((resolve, reject) => {
        const options: GlueOptions = {
          instantiateWasm(imports, receive) {
            WebAssembly.instantiate(module, imports).then((instance) => {
              memory = findMemory(imports, instance);
              receive(instance, module);
            }, reject);
          },
          print: () => {},
          printErr: () => {},
        };
        if (threads) {
          pool = new WorkerPool(threads.workerUrl, reject);
          const late = () => reject(new Error(`its threads did not start within ${threadsMilliseconds / 1000} s`));
          timer = setTimeout(late, threadsMilliseconds);
          createWithThreads({ ...options, helpers: threads.count - 1, newWorker: pool.start }).then(resolve, reject);
        } else {
          createHeadlight(options).then(resolve, reject);
        }
      });
      return new WasmInstance(glue, memory as WebAssembly.Memory, pool);
    } catch (error) {
      pool?.end();
      throw new HeadlightError(
        isOutOfMemory(error) ? 'E_OUT_OF_MEMORY' : 'E_WASM',
        `The engine does not start: ${describe(error)}`,
        { file: nameOf(url) },
        { cause: error },
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the threads; nothing can be called any more. */
  dispose(): void {
    this.#broken ??= new HeadlightError('E_DISPOSED', 'The model was disposed of');
    this.#pool?.end();
  }

  /** Memory that grows, by whatever thread, has another buffer. */
  get #heap(): Uint8Array {
    return new Uint8Array(this.#memory.buffer);
  }

  /** Which build this is, and the kernels that it computes wrongly here. */
  selfTest(): SelfTest {
    this.call((glue) => glue._hl_self_test());
    return this.replyJson() as SelfTest;
  }

  /** Calls the engine, and throws what it reports. */
  call(call: (glue: Glue) => number): void {
    if (this.#guard(call) === 1) throw this.#failure();
  }

  /** The same with a JSON request, whose size in bytes `call` is given. */
  send(request: unknown, call: (glue: Glue, size: number) => number): void {
    const size = this.write(encoder.encode(toJson(request)));
    this.call((glue) => call(glue, size));
  }

  /** Copies bytes to where the next call reads them; returns how many. */
  write(...parts: Uint8Array[]): number {
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    let address = this.#guard((glue) => glue._hl_input(size)) >>> 0;
    if (address === 0 && size > 0) throw this.#failure();
    const heap = this.#heap;
    for (const part of parts) {
      heap.set(part, address);
      address += part.length;
    }
    return size;
  }

  /** One step of a run; false when all is done. */
  step(run: number, work: number): boolean {
    const status = this.#guard((glue) => glue._hl_step(run, work));
    if (status < 0) throw this.#failure();
    return status > 0;
  }

  progress(run: number): number {
    return this.#guard((glue) => glue._hl_progress(run));
  }

  /** Frees a run, whatever became of it. */
  end(run: number): void {
    if (!this.#broken) this.#guard((glue) => (glue._hl_end(run), 0));
  }

  /** A copy of the last reply. */
  reply(): Uint8Array {
    const address = this.#glue._hl_output() >>> 0;
    return this.#heap.slice(address, address + (this.#glue._hl_output_size() >>> 0));
  }

  replyJson(): unknown {
    return JSON.parse(decoder.decode(this.reply()));
  }

  /** A copy of `length` floats. */
  floats(address: number, length: number): Float32Array {
    return new Float32Array(this.#heap.slice(address, address + 4 * length).buffer);
  }

  #guard(call: (glue: Glue) => number): number {
    if (this.#broken) throw this.#broken;
    try {
      return call(this.#glue);
    } catch (error) {
      this.#broken = new HeadlightError('E_INTERNAL', `The engine stopped: ${describe(error)}`, {}, { cause: error });
      throw this.#broken;
    }
  }

  #failure(): HeadlightError {
    return HeadlightError.from((this.replyJson() as { error: ErrorReport }).error);
  }
}

/** The module's own, or the one that it shares with its threads. */
function findMemory(imports: WebAssembly.Imports, instance: WebAssembly.Instance): WebAssembly.Memory | undefined {
  const values: unknown[] = [...Object.values(imports).flatMap((group) => Object.values(group)), ...Object.values(instance.exports)];
  return values.find((value) => value instanceof WebAssembly.Memory);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function compile(url: string | URL): Promise<WebAssembly.Module> {
  const file = String(url);
  try {
    const data = /^data:application\/gzip;base64,/.exec(file);
    if (data) return await WebAssembly.compile(await unpack(file.slice(data[0].length)));
    const fs = file.startsWith('file:') && nodeModule('node:fs');
    if (fs) return await WebAssembly.compile(await fs.promises.readFile(new URL(file)));
    const response = await fetch(file);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    // Streaming needs the right type; a server that does not send it is served all the same.
    const typed = response.headers.get('Content-Type')?.startsWith('application/wasm');
    return await (typed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()));
  } catch (error) {
    const message = `${nameOf(url)} cannot be compiled: ${describe(error)}`;
    throw new HeadlightError('E_WASM', message, { file: nameOf(url) }, { cause: error });
  }
}

/** Without fetch, which a policy may forbid for data: addresses. */
async function unpack(base64: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

/** An address as messages show it: without the data that it may hold. */
function nameOf(url: string | URL): string {
  return String(url).replace(/^(data:[^,]*),.*$/s, '$1');
}
