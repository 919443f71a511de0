import fs from 'node:fs';
import path from 'node:path';
import { startBuild } from '../builds.js';
import { HeadlightError, describe } from '../errors.js';
import { load } from '../load.js';
import type { ExplainTarget, Input, Model } from '../types.js';
import { UsageError, checkNeeds, jsonOption, positiveNumber, print, printJson, readText, wholeNumber, type Command } from './command.js';
import { readInputs, spread } from './eval/table.js';
import { copySmallFiles, readShards, smallFiles, writeIndex } from './folder-files.js';
import { describeFiles, writeManifest, type Manifest } from './manifest.js';
import { checkOutput, counted, folderAtomically, megabytes, namesIn } from './output.js';
import { packOutput } from './pack.js';
import { headLines } from './heads.js';
import { LayerCut, pruneFile } from './prune/tensors.js';

const help = `Usage: headlight prune FOLDER -o FOLDER (--heads LIST | --count N --data FILE) [options]

Takes attention heads out of a model. The folder that it writes is smaller and faster and gives what the model gives
with these heads off; transformers 4 reads it by config.json's pruned_heads, transformers 5 no longer does. Folders
with safetensors and packs; of the output, all appears or nothing.

  -o, --output FOLDER  where to
      --heads LIST     LAYER.HEAD from 0, parted by commas: 0.3,5.11
      --count N        the N heads of least importance (Michel et al. 2019), the mean over the texts of --data; each
                       layer keeps one. Importance is for the likeliest label of a text; of a model of entities for that of its
                       tokens, at most 12, evenly spread; for start and end of an answer; for each mask
  -d, --data FILE      a table, tabs between columns; its first line names them: text, and text_pair for pairs; of
                       questions text is the question and text_pair the context
      --limit N        so many of the texts, evenly spread over the file (default 100)
      --max-length N   cut texts at N tokens (default 128)
      --force          replace a pack that is there; files that headlight did not write are never removed
      --json           print one JSON object
`;

/** By layer, ascending: heads, numbered as before any was pruned. */
type Heads = number[][];

export const prune: Command = {
  summary: 'a model without some of its heads',
  help,
  takes: 'folder',
  options: {
    ...jsonOption,
    output: { type: 'string', short: 'o' },
    heads: { type: 'string' },
    count: { type: 'string' },
    data: { type: 'string', short: 'd' },
    limit: { type: 'string' },
    'max-length': { type: 'string' },
    force: { type: 'boolean' },
  },
  async run(values, [folder, ...others]) {
    const { output, force, heads, data } = values;
    if (folder === undefined || others.length > 0) throw new UsageError('prune takes one folder', help);
    if (typeof output !== 'string' || output === '') throw new UsageError('-o FOLDER is missing', help);
    const count = wholeNumber(values, 'count', help, 1);
    const [limit, maxLength] = [positiveNumber(values, 'limit', help, 100), positiveNumber(values, 'max-length', help, 128)];
    if ((heads === undefined) === (count === undefined)) {
      throw new UsageError('either --heads or --count tells which heads go', help);
    }
    checkNeeds(values, ['data', 'limit', 'max-length'], 'count', help);
    if (count !== undefined && typeof data !== 'string') throw new UsageError('--data FILE is missing', help);
    const weights = findWeights(folder);
    checkOutput(folder, output, packOutput(force === true));

    const model = await load(folder);
    try {
      const gone =
        typeof heads === 'string'
          ? readHeads(heads, model)
          : await leastImportant(model, count as number, { inputs: readInputs(data as string, limit), maxLength });
      const report = await folderAtomically(output, async (target) => {
        const manifest = await writePruned(folder, weights, target, model, gone);
        return { manifest, hiddenStateDistance: await compare(model, target, gone) };
      });
      const sizes = { before: sizeOf(folder, weights), after: sizeOf(output, weights) };
      if (values['json']) return printJson({ prunedHeads: gone, sizes, ...report });
      const fewer = countOf(gone) - countOf(model.info.prunedHeads);
      print(
        `${output}: ${counted(fewer, 'head')} fewer, weights ${megabytes(sizes.after)}, before ${megabytes(sizes.before)}\n` +
          `  gone are ${headLines(gone).join('\n           ')}\n` +
          `  its results differ by ${report.hiddenStateDistance.toPrecision(2)} from the model's with these heads off\n`,
      );
    } finally {
      model.dispose();
    }
  },
};

const countOf = (heads: Heads): number => heads.reduce((sum, of) => sum + of.length, 0);

const sizeOf = (folder: string, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);

/** A model's own files of weights, of each precision that the folder holds. */
function findWeights(folder: string): string[] {
  const names = namesIn(folder);
  const weights = names.filter((name) => /^model.*\.safetensors$/.test(name));
  if (weights.length > 0) return weights;
  if (names.some((name) => /\.part-\d+-of-\d+$/.test(name))) {
    const message = `${folder} is a pack in parts; prune the folder that it was made of, and pack that`;
    throw new HeadlightError('E_INVALID_ARGUMENT', message, { file: folder });
  }
  const message = `${folder} has no model.safetensors; pytorch_model.bin becomes one by save_pretrained(…, safe_serialization=True)`;
  throw new HeadlightError('E_NOT_FOUND', message, { file: folder });
}

/** Those that are pruned already, and those of a list 'LAYER.HEAD,…'. */
function readHeads(list: string, { info }: Model): Heads {
  const { numHiddenLayers, numAttentionHeads } = info;
  const gone = Array.from({ length: numHiddenLayers }, (_, l) => new Set(info.prunedHeads[l]));
  for (const place of list.split(',')) {
    const [, layer, head] = /^\s*(\d+)\.(\d+)\s*$/.exec(place) ?? [];
    if (layer === undefined || Number(layer) >= numHiddenLayers || Number(head) >= numAttentionHeads) {
      const range = `LAYER.HEAD from 0.0 to ${numHiddenLayers - 1}.${numAttentionHeads - 1}`;
      throw new UsageError(`--heads has ${JSON.stringify(place)}, which is not ${range}`, help);
    }
    const of = gone[Number(layer)]!;
    if (of.has(Number(head))) throw new UsageError(`--heads has ${place.trim()}, which is gone already`, help);
    of.add(Number(head));
    if (of.size === numAttentionHeads) throw new UsageError(`--heads leaves layer ${layer} without a head`, help);
  }
  return gone.map((of) => [...of].sort((a, b) => a - b));
}

/** Those that are pruned already, and the `count` others whose mean importance over the texts is least. */
async function leastImportant(
  model: Model,
  count: number,
  { inputs, maxLength }: { inputs: Input[]; maxLength: number },
): Promise<Heads> {
  checkAnswers(model);
  const { numHiddenLayers, numAttentionHeads, prunedHeads } = model.info;
  const gone = Array.from({ length: numHiddenLayers }, (_, l) => [...(prunedHeads[l] ?? [])]);
  const most = numHiddenLayers * (numAttentionHeads - 1) - countOf(gone);
  if (count > most) throw new UsageError(`--count ${count} is more than the ${most} heads that can go`, help);
  const sums = await importances(model, inputs, maxLength);
  const byImportance = [...sums.keys()].sort((a, b) => sums[a]! - sums[b]!);
  let left = count;
  for (const place of byImportance) {
    const of = gone[Math.floor(place / numAttentionHeads)]!;
    const head = place % numAttentionHeads;
    if (left === 0 || of.includes(head) || of.length === numAttentionHeads - 1) continue;
    of.push(head);
    left--;
  }
  return gone.map((of) => of.sort((a, b) => a - b));
}

/** Each is a pass of its own. */
const mostTargets = 12;

/** Of each head, [layers, heads]: the sum over the texts of the mean over what the model is asked of a text. */
async function importances(model: Model, inputs: readonly Input[], maxLength: number): Promise<Float64Array> {
  const { numHiddenLayers, numAttentionHeads } = model.info;
  const sums = new Float64Array(numHiddenLayers * numAttentionHeads);
  for (const input of inputs) {
    const targets = await targetsOf(model, input, maxLength);
    for (const target of targets) {
      const { scores } = await model.explain(input, { method: 'head-importance', maxLength, target });
      scores.data.forEach((score, i) => (sums[i]! += score / targets.length));
    }
  }
  return sums;
}

/** The logits that a text is read for: the likeliest label of it or of some of its tokens, of an answer start and end. */
async function targetsOf(model: Model, input: Input, maxLength: number): Promise<ExplainTarget[]> {
  const { tasks, maskToken, maxLength: longest } = model.info;
  if (tasks.includes('answer')) return [{ position: 'start' }, { position: 'end' }];
  const isOfTokens = tasks.includes('entities');
  if (!isOfTokens && !tasks.includes('fillMask')) return [{}];
  const options = { maxLength: Math.min(maxLength, longest), truncation: 'longest_first' } as const;
  const { tokens, specialTokensMask } = await model.tokenize(input, options);
  const isTarget = (token: string, i: number) => (isOfTokens ? specialTokensMask[i] === 0 : token === maskToken);
  const targets = tokens.flatMap((token, i) => (isTarget(token, i) ? [{ token: i }] : []));
  if (targets.length > 0 || isOfTokens) return spread(targets, mostTargets);
  const text = JSON.stringify(typeof input === 'string' ? input : input.text);
  throw new HeadlightError('E_INVALID_ARGUMENT', `The text ${text} of --data has no ${maskToken}: importance is that for filling it`);
}

/** Throws E_TASK_MISMATCH for a model that is asked nothing of a text. */
function checkAnswers({ info }: Model): void {
  if (info.tasks.some((task) => !['embed', 'attention', 'forward'].includes(task))) return;
  const what = info.architecture || `a bare ${info.family} encoder`;
  const message = `--count needs a model with a task, for which heads can be of importance; the model is ${what}`;
  throw new HeadlightError('E_TASK_MISMATCH', message, {}, { advice: 'Name the heads by --heads.' });
}

async function writePruned(
  folder: string,
  weights: readonly string[],
  target: string,
  model: Model,
  gone: Heads,
): Promise<Manifest> {
  const { wasm } = await startBuild({ build: 'simd128' });
  const written = [...copySmallFiles(folder, target, smallFiles(wasm)), ...weights];
  const config = readConfig(path.join(folder, 'config.json'));
  config['pruned_heads'] = Object.fromEntries(
    gone.flatMap((heads, layer) => (heads.length > 0 ? [[String(layer), heads]] : [])),
  );
  fs.writeFileSync(path.join(target, 'config.json'), `${JSON.stringify(config, null, 2)}\n`);
  const layers = gone.map((heads, layer) => new LayerCut(heads, model.info.prunedHeads[layer] ?? [], model));
  for (const name of weights) await pruneFile(path.join(folder, name), path.join(target, name), layers);
  for (const name of namesIn(folder).filter((one) => /^model\.safetensors\.index(\..+)?\.json$/.test(one))) {
    writeIndex(target, name, readShards(path.join(folder, name)));
    written.push(name);
  }
  const manifest = await describeFiles(target, written);
  writeManifest(target, manifest);
  return manifest;
}

function readConfig(file: string): Record<string, unknown> {
  return JSON.parse(readText(file)) as Record<string, unknown>; // the engine has read it before
}

/** The largest difference of results between the pruned model and the whole one with these heads off. */
async function compare(model: Model, target: string, gone: Heads): Promise<number> {
  const pruned = await load(target).catch((error: unknown) => {
    const message = `The heads of this model cannot be taken out: ${describe(error)}`;
    throw new HeadlightError('E_UNSUPPORTED_OPTION', message, { file: 'config.json' }, { cause: error });
  });
  try {
    const headMask = gone.map((heads) =>
      Array.from({ length: model.info.numAttentionHeads }, (_, head) => (heads.includes(head) ? 0 : 1)),
    );
    const options = { lastHiddenState: true };
    const text = 'Heads that are off and heads that are gone must be the same. 关掉的头，等于没有。';
    const { lastHiddenState: whole } = await model.forward(text, { ...options, headMask });
    const { lastHiddenState: cut } = await pruned.forward(text, options);
    return cut!.data.reduce((most, value, i) => Math.max(most, Math.abs(value - whole!.data[i]!)), 0);
  } finally {
    pruned.dispose();
  }
}
