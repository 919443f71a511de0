// A model's folder while it is read: which files, in which order, and what may be wrong with them.

import { HeadlightError, describe } from './errors.js';
import { isListOf, isText, reading, wrong } from './options.js';
import { SafetensorsSize } from './safetensors.js';
import type { Engine, WeightsEngine } from './engine.js';
import type { ProgressMeter } from './progress.js';
import { beginning, isWebPage, streamOf, type ModelSource, type SourceFile } from './source.js';
import type { Sum } from './sha256.js';
import type { FileSums } from './types.js';

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
  /** What a manifest tells of its files, and of the parts in which they lie. */
  #told: ReadonlyMap<string, FileSums> = new Map();
  #startSum: (() => Sum) | null = null;
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
    const names = await this.#source.list();
    this.#listing = reading('What list() gives', () => readListing(names));
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
    this.#wanted = (await engine.query('smallFiles', {})) as string[];
    if (this.#wanted.includes(manifestName)) await this.#readManifest();
    this.#config = new Uint8Array(0);
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
  async readWeights(engine: WeightsEngine, meter: ProgressMeter): Promise<void> {
    const { files, expectedBytes, first } = await this.#findWeights(engine);
    if (files.length === 1) this.weightsSha256 = this.#told.get(files[0]!)?.sha256 ?? null;
    if (expectedBytes > 0) meter.expect(expectedBytes);
    for (const [index, name] of files.entries()) {
      const file = index === 0 ? first : await this.#open(name);
      if (!file) throw this.#notFound(name);
      if (!meter.hasTotal && files.length === 1 && file.size !== null) meter.expect(file.size);
      await engine.beginWeights(name, file.size);
      await this.#stream(name, file, engine, meter, files.length === 1);
      await engine.endWeights();
      await this.#source.keep?.(name);
    }
  }

  /** A manifest tells the folder's files, so that none is asked for in vain, and their sizes. */
  async #readManifest(): Promise<void> {
    const manifest = this.#listing?.includes(manifestName) === false ? null : await this.#readFile(manifestName);
    if (!manifest) return;
    await this.#add(manifestName, manifest);
    const files = filesOf(manifest);
    if (files.length === 0) return;
    this.#told = withParts(files);
    this.#source.expect?.(this.#told);
    const names = files.filter(([, { parts }]) => !this.#listing || parts).map(([name]) => name);
    this.#listing = [...(this.#listing ?? []), ...names];
    if (files.some(([, { sha256 }]) => isSum(sha256))) this.#startSum = (await import('./sha256.js')).startSum;
    const sum = this.#sumOf(configName);
    sum?.update(this.#config);
    this.#check(configName, this.#config.length, sum);
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
    return name.includes('/') && (this.#told.size === 0 || this.#told.has(name));
  }

  /** Asks the engine for its choices until the first of its files is there. */
  async #findWeights(engine: WeightsEngine): Promise<{ files: string[]; expectedBytes: number; first: SourceFile }> {
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

  async #stream(name: string, file: SourceFile, engine: WeightsEngine, meter: ProgressMeter, alone: boolean): Promise<void> {
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
    await this.#source.keep?.(name);
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  }

  /** null when the file is missing or the server sent a web page in its place. */
  async #open(name: string): Promise<SourceFile | null> {
    const told = this.#told.get(name);
    if (told?.parts) return { size: told.bytes, stream: streamOf(this.#join(told.parts.map(({ file }) => file))) };
    const file = await this.#source.open(name, undefined, this.#signal);
    if (!file) return null;
    const { size, ...others } = reading('What open() gives', () => readSourceFile(file));
    const [peeked, rest] = await this.#peek(name, { ...others, size: size ?? told?.bytes ?? null });
    if (!isWebPage(peeked)) return rest;
    await rest.stream.cancel();
    const address = this.#locate(name);
    this.#page ??= new HeadlightError(
      'E_NOT_A_MODEL',
      `${address} is a web page, it starts with ${JSON.stringify(beginning(peeked))}`,
      { file: address },
    );
    return null;
  }

  /** The bytes of the parts of one file. */
  async *#join(names: string[]): AsyncGenerator<Uint8Array> {
    for (const name of names) {
      const file = await this.#open(name);
      if (!file) throw this.#page ?? this.#notFound(name);
      yield* this.#chunks(name, file);
      await this.#source.keep?.(name);
    }
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
    async function* rest(): AsyncGenerator<Uint8Array> {
      for (let next = first; !next.done; next = await reader.read()) yield next.value;
    }
    return [first.value ?? new Uint8Array(0), { ...file, stream: streamOf(rest(), () => reader.cancel()) }];
  }

  /** The bytes of a file; one that ends early, or is not what the manifest tells, is an error. */
  async *#chunks(name: string, file: SourceFile): AsyncGenerator<Uint8Array> {
    const reader = file.stream.getReader();
    const told = this.#told.get(name)?.sha256;
    const sum = file.sha256 && file.sha256 === told ? null : this.#sumOf(name);
    let received = 0;
    try {
      for (;;) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          throw this.#broken(name, file, received, error);
        });
        this.#signal.throwIfAborted();
        if (done) break;
        received += value.length;
        sum?.update(value);
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
    if (file.size !== null && received < file.size) throw this.#broken(name, file, received);
    this.#check(name, received, sum);
  }

  /** null where the manifest tells none, or tells those of the parts. */
  #sumOf(name: string): Sum | null {
    const told = this.#told.get(name);
    return told && !told.parts && isSum(told.sha256) ? (this.#startSum?.() ?? null) : null;
  }

  /** Throws for a file that is whole and yet not the manifest's. */
  #check(name: string, bytes: number, sum: Sum | null): void {
    const told = this.#told.get(name);
    if (!told || (bytes === told.bytes && (!sum || sum.digest() === told.sha256))) return;
    const file = this.#locate(name);
    const other = 'it was changed, or is of another version than the other files';
    const [code, message] =
      bytes < told.bytes
        ? (['E_MODEL_TRUNCATED', `${file} ended after ${bytes} of ${told.bytes} bytes`] as const)
        : bytes > told.bytes
          ? (['E_MODEL_CORRUPT', `${file} has ${bytes} bytes, ${manifestName} tells ${told.bytes}: ${other}`] as const)
          : (['E_MODEL_CORRUPT', `${file} does not have the SHA-256 sum that ${manifestName} tells: ${other}`] as const);
    throw new HeadlightError(code, message, { file });
  }

  #broken(name: string, { size }: SourceFile, received: number, cause?: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    if (cause instanceof HeadlightError) return cause;
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

/** A source may be a caller's own. */
function readListing(names: string[] | null): string[] | null {
  if (names !== null && !isListOf(names, isText)) throw wrong('What list() gives', 'a list of names or null', names);
  return names;
}

function readSourceFile(file: SourceFile): SourceFile {
  const { size, stream, sha256 = null } = file;
  const isSize = size === null || size === undefined || (Number.isInteger(size) && size >= 0);
  if (typeof stream?.getReader === 'function' && isSize) return { size, stream, sha256 };
  throw wrong('What open() gives', '{ size, stream } or null', file);
}

/** The files in a manifest; none for what is no manifest, for the engine reads it, too, and says what is wrong. */
function filesOf(manifest: Uint8Array): [string, FileSums][] {
  try {
    const { files } = JSON.parse(new TextDecoder().decode(manifest)) as { files: Record<string, FileSums> };
    return Object.entries(files).filter(([, file]) => typeof file === 'object' && Number.isInteger(file?.bytes));
  } catch {
    return [];
  }
}

/** The files, and beside them each file of which one of them is put together. */
function withParts(files: [string, FileSums][]): Map<string, FileSums> {
  const all = new Map(files);
  for (const [name, { bytes, parts }] of files) {
    if (parts === undefined) continue;
    const damage = (what: string) =>
      new HeadlightError('E_MODEL_CORRUPT', `${manifestName} ${what} the parts of ${name}`, { file: manifestName });
    if (!Array.isArray(parts)) throw damage('does not list');
    for (const part of parts) {
      if (!isPlainName(part?.file) || !Number.isInteger(part.bytes) || !isSum(part.sha256) || all.has(part.file)) {
        throw damage('does not tell file, bytes and sum of');
      }
      all.set(part.file, { bytes: part.bytes, sha256: part.sha256 });
    }
    if (parts.reduce((sum, part) => sum + part.bytes, 0) !== bytes) throw damage(`gives ${bytes} bytes, other than those of`);
  }
  return all;
}

/** Nothing that leads out of the folder. */
const isPlainName = (name: unknown): boolean => typeof name === 'string' && /^[^./\\:?#][^/\\:?#]*$/.test(name);

const isSum = (sum: unknown): boolean => typeof sum === 'string' && /^[0-9a-f]{64}$/.test(sum);
