// From a folder to a model: small files first, then the weights, streamed into the engine as they come.

import { HeadlightError, describe } from './errors.js';
import { Folder } from './folder.js';
import { LoadedModel, LoadedTokenizer } from './model.js';
import { readCacheOptions, readLoadOptions, readTokenizerOptions } from './load-options.js';
import { choosePlatform, describePlatform, probeFeatures, type Choice } from './platform.js';
import { ProgressMeter } from './progress.js';
import { openSource, UrlSource, type ModelSource } from './source.js';
import type { Engine } from './engine.js';
import type {
  CacheChoice,
  CacheOptions,
  CachedFile,
  LoadOptions,
  LoadTokenizerOptions,
  Model,
  ModelLocation,
  Platform,
  Tokenizer,
} from './types.js';

/**
 * Loads a model from a Hugging Face folder or a pack of `headlight pack`.
 * A load that fails or is aborted leaves nothing running.
 */
export async function load(location: ModelLocation, options?: LoadOptions): Promise<Model> {
  const checked = readLoadOptions(options);
  return start(location, checked, async (engine, folder, meter, platform) => {
    const { precision = 'auto', logger } = checked;
    await engine.createLoader({ precision });
    await folder.readSmallFiles(engine, meter);
    await folder.readWeights(engine, meter);
    const info = await engine.finishModel();
    if (info.ignored.length > 0) logger?.warn(`not used: ${info.ignored.join(', ')}`);
    meter.ready();
    return new LoadedModel(engine, { ...info, weightsSha256: folder.weightsSha256 }, platform);
  });
}

/** Loads the tokenizer of a folder alone; no weights are read. */
export async function loadTokenizer(location: ModelLocation, options?: LoadTokenizerOptions): Promise<Tokenizer> {
  return start(location, { ...readTokenizerOptions(options), threads: 1 }, async (engine, folder, meter) => {
    await folder.readSmallFiles(engine, meter);
    await engine.createTokenizer();
    return new LoadedTokenizer(engine);
  });
}

/**
 * Downloads what load() with the same options would need, into the cache, by default 'persistent'; no model is built. A
 * download that was broken off or aborted goes on where it stopped. Gives the copies that there are now: none where the
 * storage failed, of which the logger hears. Throws E_INVALID_ARGUMENT for a location that is no URL.
 */
export async function prefetch(location: ModelLocation, options?: LoadOptions): Promise<CachedFile[]> {
  const checked = readLoadOptions(options);
  const { cache = 'persistent', precision = 'auto' } = checked;
  urlOf(location);
  checkKeeps(cache);
  await start(location, { ...checked, cache }, async (engine, folder, meter) => {
    await engine.createLoader({ precision });
    await folder.readSmallFiles(engine, meter);
    const skip = () => Promise.resolve();
    await folder.readWeights(
      {
        weightFiles: (listing, missing) => engine.weightFiles(listing, missing),
        beginWeights: skip,
        feedWeights: skip,
        endWeights: skip,
      },
      meter,
    );
    meter.ready();
    engine.dispose();
  });
  return cachedFiles({ location, cache });
}

/** The files that a cache holds, all or those of one model. */
export const cachedFiles = (options?: CacheOptions): Promise<CachedFile[]> =>
  inCache(options, ({ listCopies }, cache, below) => listCopies(cache, below));

/** Removes what a cache holds, all or what is one model's; gives the bytes that it took. Models that are loaded work on. */
export const clearCache = (options?: CacheOptions): Promise<number> =>
  inCache(options, ({ removeCopies }, cache, below) => removeCopies(cache, below));

/** act: is given the cache and the beginning of the addresses that are meant. */
async function inCache<Result>(
  options: CacheOptions | undefined,
  act: (module: typeof import('./cache.js'), cache: CacheChoice, below: string) => Promise<Result>,
): Promise<Result> {
  const { location, cache = 'persistent' } = readCacheOptions(options);
  const below = location === undefined ? '' : urlOf(location);
  const module = await import('./cache.js');
  try {
    return await act(module, cache, below);
  } catch (error) {
    if (error instanceof HeadlightError) throw error;
    const where = typeof cache === 'object' ? cache.directory : "the browser's storage";
    const place = typeof cache === 'object' ? { file: cache.directory } : {};
    const advice = 'Check that the storage is there and may be read and written.';
    throw new HeadlightError('E_INVALID_ARGUMENT', `The cache in ${where} fails: ${describe(error)}`, place, { cause: error, advice });
  }
}

/** Throws E_INVALID_ARGUMENT for a choice under which nothing is kept. */
function checkKeeps(cache: CacheChoice): void {
  if (keeps(cache)) return;
  throw new HeadlightError('E_INVALID_ARGUMENT', `With cache: '${cache as string}' nothing is kept; it must be 'persistent' or { directory }`);
}

const keeps = (cache: CacheChoice): boolean => cache !== 'default' && cache !== 'none';

function urlOf(location: ModelLocation): string {
  const source = openSource(location);
  if (source instanceof UrlSource) return source.locate('');
  throw new HeadlightError('E_INVALID_ARGUMENT', 'Only files from a URL are kept in a cache');
}

/** What a file that is not what it should be may lead to. */
const damageCodes = new Set([
  'E_NOT_A_MODEL',
  'E_MODEL_TRUNCATED',
  'E_MODEL_CORRUPT',
  'E_MISSING_TENSOR',
  'E_SHAPE_MISMATCH',
  'E_INVALID_CONFIG',
  'E_INVALID_TOKENIZER',
]);

/** A connection that broke is the cause of its error, and what came is kept. */
const isDamage = (error: unknown): boolean =>
  error instanceof HeadlightError && damageCodes.has(error.code) && error.cause === undefined;

/** Copies of files that turn out to be damaged go, and the files are read from where they come from, once. */
async function start<Result>(
  location: ModelLocation,
  options: LoadTokenizerOptions & LoadOptions,
  finish: Finish<Result>,
): Promise<Result> {
  const { signal, logger, cache = 'default' } = options;
  signal?.throwIfAborted();
  const meter = new ProgressMeter(options.onProgress);
  const onRetry: typeof meter.retry = (file, retry) => meter.retry(file, retry);
  let source: ModelSource = openSource(location, { ...options, onRetry });
  if (keeps(cache)) {
    const { CachedSource } = await import('./cache.js');
    if (source instanceof UrlSource) source = await CachedSource.open(source, cache, logger);
  }
  for (let isAgain = false; ; isAgain = true) {
    try {
      return await attempt(source, options, meter, finish);
    } catch (error) {
      const hadCopies = isDamage(error) && (await source.forget?.());
      if (!hadCopies || isAgain) throw error;
      logger?.warn(`copies of files are damaged and read again: ${(error as Error).message}`);
      meter.restart();
    }
  }
}

type Finish<Result> = (engine: Engine, folder: Folder, meter: ProgressMeter, platform: Platform) => Promise<Result>;

/**
 * The engine starts while config.json is read. If either fails, or what follows, all downloads end and the engine
 * is let go.
 */
async function attempt<Result>(
  source: ModelSource,
  options: LoadTokenizerOptions & LoadOptions,
  meter: ProgressMeter,
  finish: Finish<Result>,
): Promise<Result> {
  const { signal, logger } = options;
  signal?.throwIfAborted();
  const choice = choosePlatform(probeFeatures(), options);
  const stop = new AbortController();
  const stopped = new Promise<never>((_resolve, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error));
  });
  const folder = new Folder(source, stop.signal);
  const abort = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  const starting = startEngine(choice, options);
  const work = async () => {
    const [engine] = await Promise.all([starting, folder.readConfig()]);
    const platform = describePlatform(choice, engine.started);
    logger?.info(platform.reason);
    for (const fault of engine.started.passedOver) logger?.warn(`a slower build runs, for ${fault}`);
    return finish(engine, folder, meter, platform);
  };
  try {
    return await Promise.race([work(), stopped]);
  } catch (error) {
    stop.abort(error);
    starting.then(
      (engine) => engine.dispose(),
      () => {},
    );
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

async function startEngine(
  { build, threads, worker }: Choice,
  { workerUrl, wasmUrl, threadsWorkerUrl }: LoadOptions,
): Promise<Engine> {
  const options = { build, threads, wasmUrl, threadsWorkerUrl };
  if (worker) {
    const { WorkerEngine } = await import('./worker-client.js');
    return WorkerEngine.start(options, workerUrl);
  }
  const { LocalEngine } = await import('./local-engine.js');
  return LocalEngine.start(options);
}
