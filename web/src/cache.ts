// A copy of each file that was downloaded, in segments with a sum each, so that a download goes on where it stopped and
// damage is found and downloaded again. This module is loaded where a cache is asked for.
//
// A file is a record, KEY.json, and its segments, KEY.WRITER-N: a record names only segments that were written before
// it, and is marked complete once the file was found to be what it should be. Writers in several tabs have names of
// their own, and do not touch what the others write.

import { HeadlightError, describe } from './errors.js';
import { startSum, sumOf, type Sum } from './sha256.js';
import { isWebPage, streamOf, UrlSource, type ByteRange, type ModelSource, type SourceFile } from './source.js';
import { part, type Download } from './download.js';
import { openStore, type Store } from './store.js';
import type { CacheChoice, CachedFile, FileSums, Logger } from './types.js';

const segmentBytes = 1 << 22;
const smallBytes = 1 << 16;
const recordEnd = '.json';

interface Segment {
  name: string;
  bytes: number;
  sha256: string;
}

interface FileRecord {
  url: string;
  /** ETag or Last-Modified. */
  validator: string | null;
  /** Of the whole file, as a manifest told it; null without one. */
  sha256: string | null;
  /** Of the whole file, where it is known. */
  bytes: number | null;
  complete: boolean;
  /** The server has no such file. */
  missing: boolean;
  segments: Segment[];
  saved: string;
}

/** A file of one load. */
interface Entry {
  key: string;
  record: FileRecord;
  /** Whether the record on disk is older than this one. */
  changed: boolean;
}

/** A folder behind a URL, with copies of its files. */
export class CachedSource implements ModelSource {
  readonly #source: UrlSource;
  readonly #store: Store;
  readonly #logger: Logger | undefined;
  readonly #writer = Math.random().toString(36).slice(2, 10);
  readonly #entries = new Map<string, Entry>();
  #told: ReadonlyMap<string, FileSums> = new Map();
  #readBytes = 0;
  /** The storage threw: what follows is read from the server alone. */
  #off = false;
  /** The server did not answer. */
  #unreachable = false;

  private constructor(source: UrlSource, store: Store, logger: Logger | undefined) {
    this.#source = source;
    this.#store = store;
    this.#logger = logger;
  }

  static async open(source: UrlSource, choice: CacheChoice, logger?: Logger): Promise<CachedSource> {
    return new CachedSource(source, await openStore(choice, (message) => logger?.warn(message)), logger);
  }

  list(): Promise<null> {
    return Promise.resolve(null);
  }

  locate(name: string): string {
    return this.#source.locate(name);
  }

  expect(files: ReadonlyMap<string, FileSums>): void {
    this.#told = files;
  }

  async open(name: string, range?: ByteRange, signal?: AbortSignal): Promise<SourceFile | null> {
    if (this.#off || range !== undefined) return this.#source.open(name, range, signal);
    const url = this.locate(name);
    const key = keyOf(url);
    let record = await this.#try(() => readRecord(this.#store, key));
    // A load that ended before the file was found to be right left all of it.
    if (record && (record.complete || hasAll(record)) && !(await this.#isCurrent(name, record, signal))) record = null;
    if (record?.missing) return null;
    if (record?.complete) return this.#serve(name, { key, record, changed: false }, null, signal);
    const sum = this.#sumOf(name);
    if (record && sum && record.sha256 && record.sha256 !== sum) record = null;
    const release = await lock(key);
    // Another tab downloads the file: this one does without the copy.
    if (!release) return this.#source.open(name, undefined, signal);
    try {
      if (record && hasAll(record)) return this.#serve(name, { key, record, changed: true }, null, signal, release);
      const start = startOfRest(record);
      const download = await this.#source.download(name, { start, validator: record?.validator }, signal);
      const { validator = null, total: bytes = null } = download ?? {};
      const segments = download && start > 0 && download.start === start ? (record?.segments ?? []) : [];
      record = { url, validator, sha256: download && sum, bytes, complete: false, missing: !download, segments, saved: now() };
      const entry = { key, record, changed: true };
      if (download) return this.#serve(name, entry, download, signal, release);
      await this.#finish(entry);
    } catch (error) {
      release();
      throw error;
    }
    release();
    return null;
  }

  async keep(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry?.changed || this.#off) return;
    entry.record.sha256 = this.#sumOf(name);
    await this.#finish(entry);
  }

  async forget(): Promise<boolean> {
    for (const { key } of this.#entries.values()) await this.#try(() => remove(this.#store, key));
    this.#entries.clear();
    const hadCopies = this.#readBytes > 0;
    this.#readBytes = 0;
    return hadCopies;
  }

  /** A file of which there is a copy, or the beginning of one. */
  #serve(name: string, entry: Entry, download: Download | null, signal?: AbortSignal, release?: () => void): SourceFile {
    this.#entries.set(name, entry);
    const chunks = this.#read(name, entry, download, signal, release);
    const stream = streamOf(chunks, async () => {
      release?.();
      await download?.stream.cancel().catch(() => {});
    });
    const { bytes: size, complete, sha256 } = entry.record;
    return { size, stream, sha256: complete ? sha256 : null };
  }

  /** The segments that are whole, and from the first that is not the server's bytes, which become segments. */
  async *#read(
    name: string,
    entry: Entry,
    download: Download | null,
    signal?: AbortSignal,
    release?: () => void,
  ): AsyncGenerator<Uint8Array> {
    const { record } = entry;
    /** Of a copy that was whole, once a part of it is downloaded again; its segments have sums of their own. */
    let sum: Sum | null = null;
    let position = 0;
    let writer: SegmentWriter | null = null;
    try {
      for (const [index, segment] of record.segments.entries()) {
        const bytes = await this.#try(() => readSegment(this.#store, segment));
        if (!bytes) {
          this.#logger?.warn(`${record.url}: its copy is damaged from byte ${position} on and is downloaded anew`);
          await download?.stream.cancel();
          download = null;
          const segments = record.segments.slice(0, index);
          if (record.complete && record.sha256) sum = await this.#sumOfSegments(segments);
          Object.assign(record, { complete: false, segments });
          break;
        }
        position += bytes.length;
        this.#readBytes += bytes.length;
        yield bytes;
      }
      if (record.complete || (!download && position === record.bytes)) return;
      download ??= await this.#reopen(name, record, position, signal);
      release ??= (await lock(entry.key)) ?? undefined;
      if (release && !this.#off) writer = new SegmentWriter((bytes) => this.#write(entry, bytes));
      entry.changed = writer !== null;
      const rest = position > download.start ? part(download.stream, position - download.start, Infinity) : download.stream;
      const reader = rest.getReader();
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          if (position === 0 && isWebPage(value)) {
            // A start page in place of a file that is not there.
            if (writer) await this.#finish({ ...entry, record: { ...record, missing: true, sha256: null } });
            writer = null;
            entry.changed = false;
          }
          position += value.length;
          sum?.update(value);
          // Before the reader of this stream has it, who may hand it on to a worker.
          await writer?.add(value);
          yield value;
        }
      } finally {
        await reader.cancel().catch(() => {});
      }
      record.bytes = position;
      if (sum && sum.digest() !== record.sha256) throw otherVersion(record, position);
    } finally {
      await writer?.end();
      release?.();
    }
  }

  /** The server's bytes in place of damaged ones. */
  async #reopen(name: string, record: FileRecord, position: number, signal?: AbortSignal): Promise<Download> {
    const download = await this.#source.download(name, { start: position, validator: record.validator }, signal);
    const isOther = record.validator && download?.validator && record.validator !== download.validator;
    if (download && !(position > 0 && isOther)) {
      record.validator = download.validator;
      return download;
    }
    await download?.stream.cancel();
    throw otherVersion(record, position);
  }

  async #sumOfSegments(segments: Segment[]): Promise<Sum> {
    const sum = startSum();
    for (const segment of segments) {
      const bytes = await this.#try(() => readSegment(this.#store, segment));
      if (bytes) sum.update(bytes);
    }
    return sum;
  }

  async #write(entry: Entry, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#off) return;
    const { key, record } = entry;
    const segment = { name: `${key}.${this.#writer}-${record.segments.length}`, bytes: bytes.length, sha256: await sumOf(bytes) };
    await this.#try(async () => {
      try {
        await this.#store.write(segment.name, bytes);
        record.segments.push(segment);
        await writeRecord(this.#store, key, record);
      } catch (error) {
        // What cannot be kept whole leaves no half that takes up room.
        await remove(this.#store, key).catch(() => {});
        throw error;
      }
    });
  }

  async #finish({ key, record }: Entry): Promise<void> {
    Object.assign(record, { complete: true, saved: now() });
    const named = record.segments.map(({ name }) => name);
    await this.#try(async () => {
      await writeRecord(this.#store, key, record);
      await remove(this.#store, key, [key + recordEnd, ...named]);
    });
  }

  /** Whether a copy is still what the server has; yes where it cannot be asked. */
  async #isCurrent(name: string, record: FileRecord, signal?: AbortSignal): Promise<boolean> {
    const sum = this.#sumOf(name);
    if (sum && record.sha256) return sum === record.sha256;
    if (this.#unreachable) return true;
    const response = await this.#source.look(name, signal);
    this.#unreachable = !response;
    if (!response) return true;
    if (response.status === 404 || response.status === 410) return record.missing;
    if (!response.ok) return true;
    if (record.missing) return false;
    const validator = response.headers.get('ETag') ?? response.headers.get('Last-Modified');
    if (validator !== null && record.validator !== null) return validator === record.validator;
    // A server that tells no versions: a small file costs hardly more than the question.
    const length = response.headers.has('Content-Encoding') ? null : response.headers.get('Content-Length');
    return (record.bytes ?? 0) > smallBytes && (length === null || Number(length) === record.bytes);
  }

  #sumOf(name: string): string | null {
    return this.#told.get(name)?.sha256 ?? null;
  }

  /** Storage that throws is told of once and used no more. */
  async #try<Result>(act: () => Promise<Result>): Promise<Result | null> {
    if (this.#off) return null;
    try {
      return await act();
    } catch (error) {
      this.#off = true;
      this.#logger?.warn(`model files are not kept: the storage failed (${describe(error)})`);
      return null;
    }
  }
}

function otherVersion({ url }: FileRecord, offset: number): HeadlightError {
  const message = `The copy of ${url} is damaged, and the server has another version of it`;
  return new HeadlightError('E_MODEL_CORRUPT', message, { file: url, offset });
}

/** Gathers bytes into segments. */
class SegmentWriter {
  readonly #write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #filled = 0;

  constructor(write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>) {
    this.#write = write;
  }

  async add(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + segmentBytes - this.#filled);
      this.#pieces.push(piece.slice());
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === segmentBytes) await this.end();
    }
  }

  async end(): Promise<void> {
    if (this.#filled === 0) return;
    const segment = new Uint8Array(await new Blob(this.#pieces).arrayBuffer());
    this.#pieces = [];
    this.#filled = 0;
    await this.#write(segment);
  }
}

/** The copies of files whose URL begins so, whole or begun. */
export async function listCopies(choice: CacheChoice, below: string): Promise<CachedFile[]> {
  const store = await openStore(choice, () => {});
  const names = await store.list();
  const records = await Promise.all(
    names.filter((name) => name.endsWith(recordEnd)).map((name) => readRecord(store, name.slice(0, -recordEnd.length))),
  );
  return records
    .filter((record) => record !== null && !record.missing && record.url.startsWith(below))
    .map((record) => {
      const { url, segments, complete, saved } = record as FileRecord;
      return { url, bytes: lengthOf(segments), complete, saved, inMemory: store.inMemory };
    })
    .sort((a, b) => (a.url < b.url ? -1 : 1));
}

/** Removes the copies of files whose URL begins so; gives the bytes that they took. */
export async function removeCopies(choice: CacheChoice, below: string): Promise<number> {
  const store = await openStore(choice, () => {});
  let bytes = 0;
  for (const name of await store.list()) {
    if (!name.endsWith(recordEnd)) continue;
    const key = name.slice(0, -recordEnd.length);
    const record = await readRecord(store, key);
    if (below !== '' && !record?.url.startsWith(below)) continue;
    bytes += lengthOf(record?.segments ?? []);
    await remove(store, key);
  }
  // With everything goes what no record names any more.
  if (below === '') for (const name of await store.list()) await store.remove(name);
  return bytes;
}

/** null for a record that is not there or is damaged. */
async function readRecord(store: Store, key: string): Promise<FileRecord | null> {
  const bytes = await store.read(key + recordEnd);
  try {
    const record = bytes && (JSON.parse(new TextDecoder().decode(bytes)) as FileRecord);
    return Array.isArray(record?.segments) && typeof record.url === 'string' ? record : null;
  } catch {
    return null;
  }
}

async function writeRecord(store: Store, key: string, record: FileRecord): Promise<void> {
  await store.write(key + recordEnd, new TextEncoder().encode(JSON.stringify(record)));
}

async function readSegment(store: Store, { name, bytes, sha256 }: Segment): Promise<Uint8Array | null> {
  const read = await store.read(name);
  return read && read.length === bytes && (await sumOf(read)) === sha256 ? read : null;
}

/** Removes what belongs to a file, but for `kept`; its record first, so that no reader finds what goes. */
async function remove(store: Store, key: string, kept: string[] = []): Promise<void> {
  const names = (await store.list()).filter((name) => name.startsWith(`${key}.`) && !kept.includes(name));
  for (const name of names.sort((a, b) => Number(b.endsWith(recordEnd)) - Number(a.endsWith(recordEnd)))) {
    await store.remove(name);
  }
}

/** A name for a file's copy. */
function keyOf(url: string): string {
  const sum = startSum();
  sum.update(new TextEncoder().encode(url));
  return sum.digest().slice(0, 32);
}

/** Whether an unfinished copy has every byte of its file. */
const hasAll = ({ complete, bytes, segments }: FileRecord): boolean => !complete && lengthOf(segments) === bytes;

/**
 * The byte from which an unfinished copy's file is asked for. Where its size is unknown all may be there, and a server
 * refuses to begin at its end: the last byte comes again.
 */
const startOfRest = (record: FileRecord | null): number =>
  Math.max(0, lengthOf(record?.segments ?? []) - (record?.bytes === null ? 1 : 0));

const lengthOf = (segments: Segment[]): number => segments.reduce((sum, { bytes }) => sum + bytes, 0);
const now = (): string => new Date().toISOString();

/** Gives what ends the lock, or null while another tab or load has it and does not end soon. */
function lock(key: string): Promise<(() => void) | null> {
  const { locks } = (globalThis.navigator ?? {}) as { locks?: LockManager };
  if (!locks) return Promise.resolve(lockHere(key));
  return new Promise((resolve) => {
    const hold = () => new Promise<void>((release) => resolve(release));
    const isBusy = (error: unknown) => /^(Timeout|Abort)Error$/.test((error as Error).name);
    locks
      .request(`headlight-cache-${key}`, { signal: AbortSignal.timeout(lockMilliseconds) }, hold)
      .catch((error: unknown) => resolve(isBusy(error) ? null : lockHere(key)));
  });
}

const lockMilliseconds = 500;

/** Without Web Locks: among the loads of this page or process. */
const held = new Set<string>();

function lockHere(key: string): (() => void) | null {
  if (held.has(key)) return null;
  held.add(key);
  return () => void held.delete(key);
}
