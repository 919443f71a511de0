// transformers.js' pipeline() over this library's own calls (docs/pipeline.md).

import { HeadlightError } from '../errors.js';
import { load } from '../load.js';
import { checkOptions } from '../options.js';
import type { LoadOptions, LoadProgress, Model, ModelLocation } from '../types.js';
import { calls } from './calls.js';
import type { PipelineAlias, PipelineProgress, PipelineTask, Pipelines } from './types.js';

export interface PipelineOptions extends Omit<LoadOptions, 'precision' | 'onProgress'> {
  /** 'fp32' runs float32, 'q8', 'int8' and 'uint8' int8; 'auto' (default) what the folder holds. */
  dtype?: 'auto' | 'fp32' | 'q8' | 'int8' | 'uint8' | null;
  /** 'wasm', 'cpu' and 'auto' are the same. Another one, such as 'webgpu', is refused. */
  device?: 'auto' | 'wasm' | 'cpu' | null;
  progress_callback?: ((progress: PipelineProgress) => void) | null;
  /** No model is looked up anywhere, so that these change nothing. */
  local_files_only?: boolean;
  subfolder?: string;
  session_options?: object;
  use_external_data_format?: unknown;
}

const aliases: Record<PipelineAlias, PipelineTask> = {
  'sentiment-analysis': 'text-classification',
  ner: 'token-classification',
  embeddings: 'feature-extraction',
};

const precisions = { auto: 'auto', fp32: 'float32', q8: 'int8', int8: 'int8', uint8: 'int8' } as const;
const devices = ['auto', 'wasm', 'cpu'];
const withoutEffect = ['local_files_only', 'subfolder', 'session_options', 'use_external_data_format'];
const loadOptions = ['threads', 'worker', 'signal', 'cache', 'retries', 'fetch', 'headers', 'workerUrl', 'wasmUrl', 'build', 'logger'];

/**
 * Loads a model for a task. `source` is what load() takes: a URL, a path, files; never a hub id. Throws
 * E_INVALID_ARGUMENT for a task, device or dtype that there is not, E_TASK_MISMATCH for a model of another task.
 */
export async function pipeline<Name extends keyof Pipelines>(
  task: Name,
  source: ModelLocation,
  options: PipelineOptions = {},
): Promise<Pipelines[Name]> {
  checkOptions(options);
  const name = taskOf(task);
  const model = await load(source, toLoadOptions(name, source, options));
  const { needs, call } = calls[name];
  if (!model.info.tasks.includes(needs)) {
    model.dispose();
    const what = model.info.architecture || `a bare ${model.info.family} encoder`;
    throw new HeadlightError('E_TASK_MISMATCH', `${name} does not fit ${what}`);
  }
  return bind(name, model, call) as unknown as Pipelines[Name];
}

function bind(task: PipelineTask, model: Model, call: (model: Model, ...args: never[]) => Promise<unknown>) {
  // Options come last; Function.length does not count them, for they have a default.
  const optionsAt = call.length - 1;
  const pipe = async (...args: unknown[]) => {
    checkOptions(args[optionsAt]);
    return call(model, ...(args as never[]));
  };
  return Object.assign(pipe, { task, model, tokenizer: model, dispose: async () => model.dispose() });
}

function taskOf(task: string): PipelineTask {
  const name = Object.hasOwn(aliases, task) ? aliases[task as PipelineAlias] : task;
  if (Object.hasOwn(calls, name)) return name as PipelineTask;
  throw new HeadlightError(
    'E_INVALID_ARGUMENT',
    `There is no pipeline '${task}' here; there are ${[...Object.keys(calls), ...Object.keys(aliases)].join(', ')}`,
  );
}

function toLoadOptions(
  task: PipelineTask,
  source: ModelLocation,
  { dtype, device, progress_callback: report, ...others }: PipelineOptions,
): LoadOptions {
  if (!Object.hasOwn(precisions, dtype ?? 'auto')) {
    throw new HeadlightError('E_INVALID_ARGUMENT', `dtype '${String(dtype)}' is not supported; fp32 and q8 are`);
  }
  if (!devices.includes(device ?? 'auto')) {
    throw new HeadlightError(
      'E_INVALID_ARGUMENT',
      `device '${String(device)}' is not supported: models run on the CPU, as WebAssembly`,
    );
  }
  const unknown = Object.keys(others).find((key) => !loadOptions.includes(key) && !withoutEffect.includes(key));
  if (unknown !== undefined) {
    throw new HeadlightError('E_INVALID_ARGUMENT', `There is no option '${unknown}' of pipeline()`);
  }
  const name = typeof source === 'string' || source instanceof URL ? String(source) : '';
  return {
    ...Object.fromEntries(Object.entries(others).filter(([key]) => loadOptions.includes(key))),
    precision: precisions[dtype ?? 'auto'],
    ...(report && { onProgress: (progress: LoadProgress) => report(toProgress(progress, task, name)) }),
  };
}

function toProgress({ phase, file, loaded, total }: LoadProgress, task: PipelineTask, name: string): PipelineProgress {
  if (phase === 'ready') return { status: 'ready', task, model: name };
  const whole = total ?? 0;
  return { status: 'progress', name, file, progress: whole > 0 ? (100 * loaded) / whole : 0, loaded, total: whole };
}
