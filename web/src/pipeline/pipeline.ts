// transformers.js' pipeline() over this library's own calls (docs/pipeline.md).

import { HeadlightError } from '../errors.js';
import { load } from '../load.js';
import { loadOptionNames } from '../load-options.js';
import { checkFunction, invalid, readOptions, reading, show, toPlain, type OptionNames } from '../options.js';
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
const { precision: _precision, onProgress: _onProgress, ...loadNames } = loadOptionNames;
const optionNames: OptionNames<PipelineOptions> = {
  ...loadNames,
  dtype: 1,
  device: 1,
  progress_callback: 1,
  local_files_only: 1,
  subfolder: 1,
  session_options: 1,
  use_external_data_format: 1,
};

/**
 * Loads a model for a task. `source` is what load() takes: a URL, a path, files; never a hub id. Throws
 * E_INVALID_ARGUMENT for a task, device or dtype that there is not, E_TASK_MISMATCH for a model of another task.
 */
export async function pipeline<Name extends keyof Pipelines>(
  task: Name,
  source: ModelLocation,
  options?: PipelineOptions,
): Promise<Pipelines[Name]> {
  const name = taskOf(task);
  const model = await load(source, toLoadOptions(name, source, readOptions(options, optionNames, 'of pipeline()')));
  const { needs } = calls[name];
  if (!model.info.tasks.includes(needs)) {
    model.dispose();
    const what = model.info.architecture || `a bare ${model.info.family} encoder`;
    throw new HeadlightError('E_TASK_MISMATCH', `${name} does not fit ${what}`);
  }
  return bind(name, model) as unknown as Pipelines[Name];
}

function bind(task: PipelineTask, model: Model) {
  const { call, options: names } = calls[task];
  // Options come last, after the model and what is read.
  const optionsAt = call.length - 2;
  const pipe = async (...args: unknown[]) => {
    const options = readOptions(args[optionsAt] as object | undefined, names);
    const read = Array.from({ length: optionsAt }, (_, i) => toPlain('An input', args[i]));
    return call(model, ...([...read, options] as never[]));
  };
  return Object.assign(pipe, { task, model, tokenizer: model, dispose: async () => model.dispose() });
}

function taskOf(task: string): PipelineTask {
  const names = [...Object.keys(calls), ...Object.keys(aliases)];
  if (!names.includes(task)) throw invalid(`There is no pipeline ${show(task)} here; there are ${names.join(', ')}`);
  return aliases[task as PipelineAlias] ?? (task as PipelineTask);
}

function toLoadOptions(
  task: PipelineTask,
  source: ModelLocation,
  { dtype, device, progress_callback: report, ...others }: PipelineOptions,
): LoadOptions {
  if (!Object.keys(precisions).includes(dtype ?? 'auto')) throw invalid(`dtype ${show(dtype)} is not supported; fp32 and q8 are`);
  if (!devices.includes(device ?? 'auto')) {
    throw invalid(`device ${show(device)} is not supported: models run on the CPU, as WebAssembly`);
  }
  checkFunction('progress_callback', report);
  const name = reading('The model', () => (typeof source === 'string' || source instanceof URL ? String(source) : ''));
  return {
    ...Object.fromEntries(Object.entries(others).filter(([key]) => Object.hasOwn(loadNames, key))),
    precision: precisions[dtype ?? 'auto'],
    ...(report && { onProgress: (progress: LoadProgress) => report(toProgress(progress, task, name)) }),
  };
}

function toProgress({ phase, file, loaded, total }: LoadProgress, task: PipelineTask, name: string): PipelineProgress {
  if (phase === 'ready') return { status: 'ready', task, model: name };
  const whole = total ?? 0;
  return { status: 'progress', name, file, progress: whole > 0 ? (100 * loaded) / whole : 0, loaded, total: whole };
}
