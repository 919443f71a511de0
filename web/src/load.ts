// From a folder to a model: small files first, then the weights, streamed into the engine as they come.

import { Folder } from './folder.js';
import { LoadedModel, LoadedTokenizer } from './model.js';
import { checkOptions } from './options.js';
import { choosePlatform, describePlatform, probeFeatures, type Choice } from './platform.js';
import { ProgressMeter } from './progress.js';
import { openSource } from './source.js';
import type { Engine } from './engine.js';
import type { LoadOptions, LoadTokenizerOptions, Model, ModelLocation, Platform, Tokenizer } from './types.js';

/**
 * Loads a model from a Hugging Face folder or a pack of `headlight pack`.
 * A load that fails or is aborted leaves nothing running.
 */
export function load(location: ModelLocation, options: LoadOptions = {}): Promise<Model> {
  return start(location, options, async (engine, folder, meter, platform) => {
    const { precision = 'auto', logger } = options;
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
export async function loadTokenizer(location: ModelLocation, options: LoadTokenizerOptions = {}): Promise<Tokenizer> {
  checkOptions(options);
  return start(location, { ...options, threads: 1 }, async (engine, folder, meter) => {
    await folder.readSmallFiles(engine, meter);
    await engine.createTokenizer();
    return new LoadedTokenizer(engine);
  });
}

/**
 * The engine starts while config.json is read. If either fails, or what follows, all downloads end and the engine
 * is let go.
 */
async function start<Result>(
  location: ModelLocation,
  options: LoadTokenizerOptions & LoadOptions,
  finish: (engine: Engine, folder: Folder, meter: ProgressMeter, platform: Platform) => Promise<Result>,
): Promise<Result> {
  checkOptions(options);
  const { signal, logger } = options;
  signal?.throwIfAborted();
  const choice = choosePlatform(probeFeatures(), options);
  const stop = new AbortController();
  const stopped = new Promise<never>((_resolve, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error));
  });
  const meter = new ProgressMeter(options.onProgress);
  const source = openSource(location, { ...options, onRetry: (file, retry) => meter.retry(file, retry) });
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
