// The options of a load, and of a source behind a URL: their names, and what each must be.

import type { WasmUrl } from './build-names.js';
import {
  checkChoice,
  checkFunction,
  invalid,
  isGiven,
  isObject,
  readOptions,
  reading,
  wrong,
  type OptionNames,
} from './options.js';
import type { CacheChoice, CacheOptions, LoadOptions, LoadTokenizerOptions } from './types.js';

const tokenizerNames: OptionNames<LoadTokenizerOptions> = {
  worker: 1,
  signal: 1,
  cache: 1,
  retries: 1,
  fetch: 1,
  headers: 1,
  workerUrl: 1,
  wasmUrl: 1,
  build: 1,
  logger: 1,
};
export const loadOptionNames: OptionNames<LoadOptions> = {
  ...tokenizerNames,
  precision: 1,
  threads: 1,
  threadsWorkerUrl: 1,
  onProgress: 1,
};
const cacheNames: OptionNames<CacheOptions> = { location: 1, cache: 1 };
const directoryNames: OptionNames<Extract<CacheChoice, object>> = { directory: 1 };
const engineNames: OptionNames<Exclude<WasmUrl, string | URL>> = {
  relaxed: 1,
  simd128: 1,
  'relaxed-threads': 1,
  'simd128-threads': 1,
};

/** The options of load() and prefetch(). Null counts as not given. */
export const readLoadOptions = (given: LoadOptions | undefined): LoadOptions => read(given, loadOptionNames);

/** Those of loadTokenizer(). */
export const readTokenizerOptions = (given: LoadTokenizerOptions | undefined): LoadTokenizerOptions =>
  read(given, tokenizerNames);

/** Those of cachedFiles() and clearCache(), where a location that is null is not that of all models. */
export function readCacheOptions(given: CacheOptions | undefined): CacheOptions {
  const options = readOptions(given, cacheNames);
  return { ...options, cache: readCache(options.cache ?? 'persistent', ['persistent']) };
}

function read<Options extends LoadTokenizerOptions>(given: Options | undefined, names: OptionNames<Options>): Options {
  return reading('The options', () => {
    const all = Object.entries(readOptions(given, names));
    const options = Object.fromEntries(all.filter(([, value]) => value !== null)) as Options & LoadOptions;
    const { precision, worker, workerUrl, threadsWorkerUrl, wasmUrl } = options;
    checkChoice('precision', precision, ['auto', 'float32', 'int8']);
    if (worker !== undefined && typeof worker !== 'boolean') throw wrong('worker', 'true or false', worker);
    checkUrl('workerUrl', workerUrl);
    checkUrl('threadsWorkerUrl', threadsWorkerUrl);
    checkSourceOptions(options);
    return wasmUrl === undefined ? options : { ...options, wasmUrl: readEngines(wasmUrl) };
  });
}

/** What of the options a source behind a URL reads. */
export function checkSourceOptions({ cache, retries, fetch, headers, logger }: LoadTokenizerOptions): void {
  if (isGiven(cache)) readCache(cache, ['default', 'none', 'persistent']);
  if (isGiven(retries) && !(Number.isInteger(retries) && (retries as number) >= 0)) {
    throw wrong('retries', 'a whole number from 0 on', retries);
  }
  checkFunction('fetch', fetch);
  if (isGiven(headers)) reading('headers', () => checkHeaders(headers));
  if (isGiven(logger)) reading('logger', () => checkLogger(logger));
}

function readCache(cache: unknown, names: readonly string[]): CacheChoice {
  const wanted = `${names.map((name) => `'${name}'`).join(', ')} or { directory }`;
  if (!isObject(cache)) {
    if (names.includes(cache as string)) return cache as CacheChoice;
    throw wrong('The cache', wanted, cache);
  }
  const { directory } = readOptions(cache as { directory: string }, directoryNames, 'of cache');
  // An empty path would be the current folder, and no path holds the character 0.
  if (typeof directory === 'string' && directory.trim() !== '' && !directory.includes('\0')) return { directory };
  throw wrong('cache: { directory }', 'the path of a folder', directory);
}

/** A Headers object would be spread to nothing. */
function checkHeaders(headers: unknown): void {
  const isPlain = isObject(headers) && typeof (headers as Headers).forEach !== 'function';
  if (!isPlain) throw wrong('headers', 'an object of strings by name', headers);
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') throw wrong(`headers[${JSON.stringify(name)}]`, 'a string', value);
  }
}

function checkLogger(logger: unknown): void {
  if (!isObject(logger)) throw wrong('logger', 'an object with the functions info and warn', logger);
  const { info, warn } = logger as Record<string, unknown>;
  if (typeof info !== 'function' || typeof warn !== 'function') throw invalid('logger must have the functions info and warn');
}

const isUrl = (value: unknown): boolean => typeof value === 'string' || value instanceof URL;

function checkUrl(name: string, value: unknown): void {
  if (isGiven(value) && (!isUrl(value) || value === '')) throw wrong(name, 'an address, a string or URL', value);
}

/** Addresses by build; those that are left out lie beside the module. */
function readEngines(given: WasmUrl): WasmUrl {
  if (!isObject(given) || given instanceof URL) {
    checkUrl('wasmUrl', given);
    return given;
  }
  const urls = readOptions(given, engineNames, 'of wasmUrl');
  for (const [build, url] of Object.entries(urls)) checkUrl(`wasmUrl[${JSON.stringify(build)}]`, url);
  return urls;
}
