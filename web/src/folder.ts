// A model's folder while it is read: which files, in which order, and what may be wrong with them.

import { HeadlightError, describe } from './errors.js';
import { SafetensorsSize } from './safetensors.js';
import type { Engine } from './engine.js';
import type { ProgressMeter } from './progress.js';
import type { ModelSource, SourceFile } from './source.js';

const configName = 'config.json';
const manifestName = 'headlight.json';
/** What tokenizer.json holds, too. */
const vocabularyFile = /^(vocab\.|merges\.|added_tokens\.|.*\.model$)/;
/** What names the shards of weights that are not one file. */
const indexFile = /\.index\./;
/** The first of the files of sentence-transformers; the others are there only beside it. */
const modulesName = 'modules.json';
const sentenceFile = /^(1_Pooling\/config|sentence_bert_config|config_sentence_transformers)\.json$/;

/** One folder while it is being read. */
export class Folder {
  readonly #source: ModelSource;
  readonly #signal: AbortSignal;
  #listing: string[] | null = null;
  #wanted: string[] = [];
  /** As far as a manifest tells them. */
  #sizes = new Map<string, number>();
  #sums = new Map<string, string>();
  /** SHA-256 of the file of weights, in hexadecimal digits, as a manifest tells it. */
  weightsSha256: string | null = null;
  #add: (name: string, bytes: Uint8Array) => Promise<void> = () => Promise.resolve();
  #config = new Uint8Array(0);
  /** A web page that came in place of a file. */
  #page: HeadlightError | null = null;

  constructor(source: ModelSource, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
  }

  async readConfig(): Promise<void> {
    this.#listing = await this.#source.list();
    const config = await this.#readFile(configName);
    if (!config) {
      throw this.#page ?? this.#notFound(configName);
    }
    this.#config = config;
  }

  /** Gives the engine config.json and what else it wants of the small files. */
  async readSmallFiles(engine: Engine, meter: ProgressMeter): Promise<void> {
    this.#add = async (name, bytes) => {
      await engine.addFile(name, bytes);
      meter.add('files', name, bytes.length);
    };
    await this.#add(configName, this.#config);
    this.#config = new Uint8Array(0);
    this.#wanted = (await engine.query('smallFiles', {})) as string[];
    if (this.#wanted.includes(manifestName)) await this.#readManifest();
    const known = [configName, manifestName];
    const isPlain = (name: string) =>
      ![...known, vocabularyFile, indexFile, sentenceFile].some((other) =>
        typeof other === 'string' ? other === name : other.test(name),
      );
    const found = await this.#addFiles(isPlain);
    if (!found.includes('tokenizer.json')) await this.#addFiles((name) => vocabularyFile.test(name));
    if (found.includes(modulesName)) await this.#addFiles((name) => sentenceFile.test(name));
    if (this.#listing) await this.#addFiles((name) => indexFile.test(name));
  }

  /** Streams the weights, in the order that the engine names. */
  async readWeights(engine: Engine, meter: ProgressMeter): Promise<void> {
    const { files, expectedBytes, first } = await this.#findWeights(engine);
    if (files.length === 1) this.weightsSha256 = this.#sums.get(files[0]!) ?? null;
    if (expectedBytes > 0) meter.expect(expectedBytes);
    for (const [index, name] of files.entries()) {
      const file = index === 0 ? first : await this.#open(name);
      if (!file) throw this.#notFound(name);
      if (!meter.hasTotal && files.length === 1 && file.size !== null) meter.expect(file.size);
      await engine.beginWeights(name, file.size);
      await this.#stream(name, file, engine, meter, files.length === 1);
      await engine.endWeights();
    }
  }

  /** A manifest tells the folder's files, so that none is asked for in vain, and their sizes. */
  async #readManifest(): Promise<void> {
    const manifest = this.#listing?.includes(manifestName) === false ? null : await this.#readFile(manifestName);
    if (!manifest) return;
    await this.#add(manifestName, manifest);
    const told = filesOf(manifest);
    this.#sizes = new Map(told.map(([name, { bytes }]) => [name, bytes]));
    this.#sums = new Map(told.map(([name, { sha256 }]) => [name, sha256]));
    if (this.#sizes.size > 0) this.#listing ??= [...this.#sizes.keys()];
  }

  /** Reads those of the wanted files that are there, at once, and adds them in order; returns their names. */
  async #addFiles(choose: (name: string) => boolean): Promise<string[]> {
    const names = this.#wanted.filter((name) => choose(name) && this.#mayHold(name));
    const files = await Promise.all(names.map((name) => this.#readFile(name)));
    const found: string[] = [];
    for (const [index, name] of names.entries()) {
      const bytes = files[index];
      if (!bytes) continue;
      await this.#add(name, bytes);
      found.push(name);
    }
    return found;
  }

  /** Listings name the files of the folder itself; a manifest names those in folders within it, too. */
  #mayHold(name: string): boolean {
    if (this.#listing?.includes(name) !== false) return true;
    return name.includes('/') && (this.#sizes.size === 0 || this.#sizes.has(name));
  }

  /** Asks the engine for its choices until the first of its files is there. */
  async #findWeights(engine: Engine): Promise<{ files: string[]; expectedBytes: number; first: SourceFile }> {
    const missing: string[] = [];
    for (;;) {
      const { files, expectedBytes } = await engine.weightFiles(this.#listing, missing).catch((error: unknown) => {
        throw error instanceof HeadlightError && error.code === 'E_NOT_FOUND' ? (this.#page ?? error) : error;
      });
      const name = files[0];
      if (name === undefined || missing.includes(name)) throw new HeadlightError('E_INTERNAL', 'The engine names no new file');
      const file = await this.#open(name);
      if (file) return { files, expectedBytes, first: file };
      missing.push(name);
      if (!this.#listing && missing.length === 1) await this.#addFiles((index) => indexFile.test(index));
    }
  }

  async #stream(name: string, file: SourceFile, engine: Engine, meter: ProgressMeter, alone: boolean): Promise<void> {
    const size = alone && !meter.hasTotal && name.endsWith('.safetensors') ? new SafetensorsSize() : null;
    let fed = 0;
    for await (const bytes of this.#chunks(name, file)) {
      const known = meter.hasTotal ? null : (size?.feed(bytes) ?? null);
      if (known !== null && known > fed) meter.expect(known - fed);
      fed += bytes.length;
      const { length } = bytes;
      await engine.feedWeights(bytes);
      meter.add('weights', name, length);
    }
  }

  async #readFile(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const file = await this.#open(name);
    if (!file) return null;
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of this.#chunks(name, file)) chunks.push(chunk as Uint8Array<ArrayBuffer>);
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  }

  /** null when the file is missing or the server sent a web page in its place. */
  async #open(name: string): Promise<SourceFile | null> {
    const file = await this.#source.open(name, undefined, this.#signal);
    if (!file) return null;
    const size = file.size ?? this.#sizes.get(name) ?? null;
    const [peeked, rest] = await this.#peek(name, { ...file, size });
    const start = new TextDecoder().decode(peeked.subarray(0, 40)).trim();
    if (!/^\uFEFF?<(!doctype|!--|html|head|\?xml)/i.test(start)) return rest;
    await rest.stream.cancel();
    const address = this.#locate(name);
    this.#page ??= new HeadlightError(
      'E_NOT_A_MODEL',
      `${address} is a web page, it starts with ${JSON.stringify(start)}`,
      { file: address },
    );
    return null;
  }

  /** The first bytes of a file, and the file with them. */
  async #peek(name: string, file: SourceFile): Promise<[Uint8Array, SourceFile]> {
    const reader = file.stream.getReader();
    let first: ReadableStreamReadResult<Uint8Array>;
    try {
      first = await reader.read();
    } catch (error) {
      throw this.#broken(name, file, 0, error);
    }
    const stream = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          if (first.done) controller.close();
          else controller.enqueue(first.value);
        },
        async pull(controller) {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    return [first.value ?? new Uint8Array(0), { size: file.size, stream }];
  }

  /** The bytes of a file; one that ends early is an error. */
  async *#chunks(name: string, file: SourceFile): AsyncGenerator<Uint8Array> {
    const reader = file.stream.getReader();
    let received = 0;
    try {
      for (;;) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          throw this.#broken(name, file, received, error);
        });
        this.#signal.throwIfAborted();
        if (done) break;
        received += value.length;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
    if (file.size !== null && received < file.size) throw this.#broken(name, file, received);
  }

  #broken(name: string, { size }: SourceFile, received: number, cause?: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    const address = this.#locate(name);
    const place = { file: address, offset: received };
    const why = cause === undefined ? '' : `: ${describe(cause)}`;
    if (size !== null) {
      return new HeadlightError(
        'E_MODEL_TRUNCATED',
        `${address} ended after ${received} of ${size} bytes${why}`,
        place,
        { cause },
      );
    }
    return new HeadlightError('E_NETWORK', `${address} broke off after ${received} bytes${why}`, place, { cause });
  }

  #notFound(name: string): HeadlightError {
    const file = this.#locate(name);
    return new HeadlightError('E_NOT_FOUND', `There is no ${file}`, { file });
  }

  #locate(name: string): string {
    return this.#source.locate?.(name) ?? name;
  }
}

/** The files in a manifest; none for what is no manifest, for the engine reads it, too, and says what is wrong. */
function filesOf(manifest: Uint8Array): [string, { bytes: number; sha256: string }][] {
  try {
    return Object.entries((JSON.parse(new TextDecoder().decode(manifest)) as { files: object }).files);
  } catch {
    return [];
  }
}
