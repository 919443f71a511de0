// Where a model folder lies: behind a URL, in a directory, or in files that a user chose.

import { Downloader, part, type Download, type DownloadOptions, type Wanted } from './download.js';
import { HeadlightError, describe } from './errors.js';
import { checkSourceOptions } from './load-options.js';
import { nodeModule } from './node.js';
import { invalid, isObject, readOptions, reading, wrong, type OptionNames } from './options.js';
import type { FileSums, LoadTokenizerOptions, ModelLocation } from './types.js';

/** A half-open range of bytes; without `end` to the end of the file. */
export interface ByteRange {
  start?: number;
  end?: number;
}

export interface SourceFile {
  /** Bytes that the stream will give, where that is known. */
  size: number | null;
  stream: ReadableStream<Uint8Array>;
  /** The file's SHA-256 sum, where the stream ends with an error if it gives other bytes. */
  sha256?: string | null;
}

/** A folder of files. */
export interface ModelSource {
  /** The names of all files, or null where that cannot be known. */
  list(): Promise<string[] | null>;
  /** null when there is no such file. */
  open(name: string, range?: ByteRange, signal?: AbortSignal): Promise<SourceFile | null>;
  /** A file's address for messages; without it, its name. */
  locate?(name: string): string;
  /** What a manifest tells of the folder's files, before any of them but config.json is opened. */
  expect?(files: ReadonlyMap<string, FileSums>): void;
  /** A file was read and is what it should be: a source that keeps copies keeps this one. */
  keep?(name: string): Promise<void>;
  /** What was read is damaged: copies of it go. True when there were any, so that reading again may help. */
  forget?(): Promise<boolean>;
}

type UrlOptions = Pick<LoadTokenizerOptions, 'cache' | 'fetch' | 'headers' | 'retries' | 'logger'> &
  Pick<DownloadOptions, 'onRetry'>;

const urlOptionNames: OptionNames<UrlOptions> = { cache: 1, fetch: 1, headers: 1, retries: 1, logger: 1, onRetry: 1 };

/** Files below a URL. */
export class UrlSource implements ModelSource {
  readonly #base: URL;
  readonly #downloader: Downloader;

  /** Throws E_INVALID_ARGUMENT for what is no address of a folder, and for options that there are not. */
  constructor(url: string | URL, options?: UrlOptions) {
    const checked = readOptions(options, urlOptionNames);
    checkSourceOptions(checked);
    this.#base = urlOf(url);
    if (!this.#base.pathname.endsWith('/')) this.#base.pathname += '/';
    if (this.#base.host === '' && this.#base.protocol !== 'file:') {
      const file = this.#base.href;
      throw new HeadlightError('E_INVALID_ARGUMENT', `${file} is no address of a folder`, { file });
    }
    const { cache = 'default' } = checked;
    this.#downloader = new Downloader({ ...checked, mode: cache === 'default' ? 'default' : 'no-store' });
  }

  list(): Promise<null> {
    return Promise.resolve(null);
  }

  locate(name: string): string {
    return new URL(name, this.#base).href;
  }

  async open(name: string, { start = 0, end = Infinity }: ByteRange = {}, signal?: AbortSignal): Promise<SourceFile | null> {
    const wanted = { start, end: end === Infinity ? undefined : end };
    const download = await this.download(name, wanted, signal);
    if (!download) return null;
    const stop = Math.min(end, download.stop ?? Infinity);
    const size = download.stop === null ? null : Math.max(0, stop - start);
    const whole = download.start === start && (download.stop ?? end) <= end;
    return { size, stream: whole ? download.stream : part(download.stream, start - download.start, end - download.start) };
  }

  /** A file from some byte on, with what tells one version of it from another. */
  download(name: string, wanted: Wanted, signal?: AbortSignal): Promise<Download | null> {
    return this.#downloader.open(this.locate(name), wanted, signal);
  }

  /** The state of a file without its bytes; null where the server cannot be asked. */
  look(name: string, signal?: AbortSignal): Promise<Response | null> {
    return this.#downloader.look(this.locate(name), signal);
  }
}

/** Files of a directory, in Node. */
export class DirectorySource implements ModelSource {
  readonly #path: string;

  /** Throws E_INVALID_ARGUMENT for what is no path. */
  constructor(path: string) {
    if (typeof path !== 'string') throw wrong('The path', 'a string', path);
    if (path === '') throw invalid('The path of the folder is empty');
    this.#path = path;
  }

  async list(): Promise<string[]> {
    try {
      return await this.#fs().promises.readdir(this.#path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const messages: Record<string, string> = {
        ENOENT: `There is no folder ${this.#path}`,
        ENOTDIR: `${this.#path} is no folder`,
      };
      const message = messages[code ?? ''] ?? `${this.#path} cannot be listed: ${describe(error)}`;
      throw new HeadlightError('E_NOT_FOUND', message, { file: this.#path }, { cause: error });
    }
  }

  locate(name: string): string {
    return nodeModule('node:path')?.join(this.#path, name) ?? name;
  }

  async open(name: string, { start = 0, end = Infinity }: ByteRange = {}): Promise<SourceFile | null> {
    const path = this.locate(name);
    const fs = this.#fs();
    const stat = await fs.promises.stat(path).catch(() => null);
    if (!stat?.isFile()) return null;
    await fs.promises.access(path, fs.constants.R_OK).catch((cause: unknown) => {
      throw new HeadlightError('E_NOT_FOUND', `${path} cannot be read: ${describe(cause)}`, { file: path }, { cause });
    });
    const stop = Math.min(end, stat.size);
    if (start >= stop) return { size: 0, stream: new Blob().stream() };
    const reader = fs.createReadStream(path, { start, end: stop - 1, highWaterMark: 1 << 20 });
    const stream = nodeModule('node:stream')?.Readable.toWeb(reader) as ReadableStream<Uint8Array>;
    return { size: stop - start, stream };
  }

  #fs(): typeof import('node:fs') {
    const fs = nodeModule('node:fs');
    if (!fs) throw new HeadlightError('E_INVALID_ARGUMENT', 'A directory can be read in Node only');
    return fs;
  }
}

/** Files that a user chose or dropped. */
export class FilesSource implements ModelSource {
  readonly #files: Map<string, File>;

  /** Throws E_INVALID_ARGUMENT for what is no list of files. */
  constructor(files: readonly File[]) {
    this.#files = reading('The files', () => new Map(byPath(readFiles(files))));
  }

  list(): Promise<string[]> {
    return Promise.resolve([...this.#files.keys()]);
  }

  open(name: string, range?: ByteRange): Promise<SourceFile | null> {
    const file = this.#files.get(name);
    return Promise.resolve(file ? openBlob(file, range) : null);
  }
}

function readFiles(files: readonly File[]): File[] {
  if (!Array.isArray(files)) throw wrong('The files', 'a list', files);
  return Array.from(files as File[], (file) => {
    if (typeof file?.name !== 'string' || typeof file.slice !== 'function') throw wrong('Each of the files', 'a File', file);
    return file;
  });
}

/**
 * Files by their paths within the folder that holds config.json, where they have a path; by their names otherwise.
 */
function byPath(files: readonly File[]): [string, File][] {
  const paths = files.map((file) => file.webkitRelativePath || file.name);
  const configs = paths.filter((path) => /(^|\/)config\.json$/.test(path));
  const [config = ''] = configs.sort((a, b) => a.split('/').length - b.split('/').length);
  const root = config.slice(0, config.lastIndexOf('/') + 1);
  return files.flatMap((file, index) => {
    const path = paths[index] as string;
    if (!file.webkitRelativePath) return [[file.name, file]];
    return path.startsWith(root) ? [[root === '' ? file.name : path.slice(root.length), file]] : [];
  });
}

/** A FileSystemDirectoryHandle, or what is used of one: these types need no DOM. */
export interface DirectoryHandle {
  getFileHandle(name: string): Promise<{ getFile(): Promise<File> }>;
  getDirectoryHandle(name: string): Promise<DirectoryHandle>;
}

/** Files of a directory that a user gave access to. */
export class DirectoryHandleSource implements ModelSource {
  readonly #directory: FileSystemDirectoryHandle;

  /** Throws E_INVALID_ARGUMENT for what is no handle. */
  constructor(directory: DirectoryHandle) {
    const isHandle = reading('The directory', () => typeof directory?.getFileHandle === 'function');
    if (!isHandle) throw wrong('The directory', 'a FileSystemDirectoryHandle', directory);
    this.#directory = directory as FileSystemDirectoryHandle;
  }

  async list(): Promise<string[]> {
    const names: string[] = [];
    for await (const [name, entry] of this.#directory.entries()) {
      if (entry.kind === 'file') names.push(name);
    }
    return names;
  }

  async open(name: string, range?: ByteRange): Promise<SourceFile | null> {
    try {
      const folders = name.split('/');
      const file = folders.pop() as string;
      let directory = this.#directory;
      for (const folder of folders) directory = await directory.getDirectoryHandle(folder);
      const handle = await directory.getFileHandle(file);
      return openBlob(await handle.getFile(), range);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotFoundError') return null;
      throw new HeadlightError(
        'E_NOT_FOUND',
        `${name} cannot be read: ${describe(error)}`,
        { file: name },
        { cause: error },
      );
    }
  }
}

/** The source behind a location; throws E_INVALID_ARGUMENT for what is none. */
export const openSource = (location: ModelLocation, options: UrlOptions = {}): ModelSource =>
  reading('The model', () => {
    const { cache, fetch, headers, retries, logger, onRetry } = options;
    const urlOptions = { cache, fetch, headers, retries, logger, onRetry };
    if (typeof location === 'string') return openAddress(location, urlOptions);
    if (location instanceof URL) return openUrl(location, urlOptions);
    if (Array.isArray(location)) return new FilesSource(location as readonly File[]);
    if (isObject(location)) {
      if ('getFileHandle' in location) return new DirectoryHandleSource(location);
      const { open, list } = location as ModelSource;
      if (typeof open === 'function' && typeof list === 'function') return location as ModelSource;
    }
    throw wrong('The model', 'a URL, a path (in Node), a list of files, a directory handle or a ModelSource', location);
  });

function openAddress(address: string, options: UrlOptions): ModelSource {
  if (nodeModule('node:fs') && typeof document === 'undefined') {
    return /^(https?|file):/i.test(address) ? openUrl(urlOf(address), options) : new DirectorySource(address);
  }
  return new UrlSource(urlOf(address, typeof document === 'undefined' ? location.href : document.baseURI), options);
}

function openUrl(url: URL, options: UrlOptions): ModelSource {
  const path = url.protocol === 'file:' && nodeModule('node:url')?.fileURLToPath(url);
  return path ? new DirectorySource(path) : new UrlSource(url, options);
}

/** Throws E_INVALID_ARGUMENT for what is no URL. */
function urlOf(address: string | URL, base?: string): URL {
  const isAddress = reading('The address', () => typeof address === 'string' || address instanceof URL);
  if (!isAddress) throw wrong('The address', 'a string or URL', address);
  try {
    return new URL(address, base);
  } catch (cause) {
    const file = String(address);
    throw new HeadlightError('E_INVALID_ARGUMENT', `${file} is no URL`, { file }, { cause });
  }
}

function openBlob(blob: Blob, { start = 0, end = blob.size }: ByteRange = {}): SourceFile {
  const part = blob.slice(start, end);
  return { size: part.size, stream: part.stream() };
}

/** Whether a file begins as a web page does. */
export function isWebPage(bytes: Uint8Array): boolean {
  return /^\uFEFF?<(!doctype|!--|html|head|\?xml)/i.test(beginning(bytes));
}

/** The first characters of a file, for messages. */
export function beginning(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, 40)).trim();
}

/** `cancel` ends what the chunks come from, which a generator that has not begun cannot. */
export function streamOf(chunks: AsyncGenerator<Uint8Array>, cancel?: () => Promise<void> | void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
        await cancel?.();
      },
    },
    { highWaterMark: 0 },
  );
}
