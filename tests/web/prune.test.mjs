// `headlight prune`: heads that are really gone, beside heads that are off.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { library, root } from '../support/built.mjs';
import { fail, succeed } from '../support/command.mjs';
import { decodeSafetensors } from '../support/safetensors.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

const { load } = library;
const golden = (name) => path.join(root, 'tests/data/golden', name);
const output = () => path.join(temporaryFolder(), 'pruned');
/** All tensors of a folder, whatever shards they lie in. */
const tensorsOf = (folder) =>
  Object.assign(
    {},
    ...fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.safetensors'))
      .map((name) => decodeSafetensors(new Uint8Array(fs.readFileSync(path.join(folder, name))))),
  );
const weightsOf = (folder) => fs.statSync(path.join(folder, 'model.safetensors')).size;

/** Prunes and gives the report and the folder. */
async function prune(folder, args) {
  const to = output();
  const report = JSON.parse(await succeed(['prune', folder, '-o', to, '--json', ...args]));
  return { to, report };
}

test('heads by hand are gone: smaller weights, config.json says which, results as with these heads off', async () => {
  const folder = writeFolder(makeTinyModel());
  const { to, report } = await prune(folder, ['--heads', '1.0, 0.3,1.2']);
  assert.deepEqual(report.prunedHeads, [[3], [0, 2]]);
  assert.ok(report.hiddenStateDistance < 1e-5, `${report.hiddenStateDistance}`);
  assert.deepEqual(JSON.parse(fs.readFileSync(path.join(to, 'config.json'))).pruned_heads, { 0: [3], 1: [0, 2] });
  // A head of 8 features: rows of three matrices of 32 columns and their biases, and columns of one of 32 rows.
  const gone = 3 * 4 * (3 * 8 * (32 + 1) + 32 * 8);
  assert.ok(weightsOf(folder) - weightsOf(to) >= gone - 64 && weightsOf(folder) - weightsOf(to) <= gone + 64);
  assert.equal(report.sizes.before - report.sizes.after, weightsOf(folder) - weightsOf(to));

  const [whole, pruned] = [await load(folder), await load(to)];
  assert.deepEqual(pruned.info.prunedHeads, [[3], [0, 2]]);
  assert.deepEqual(whole.info.prunedHeads, []);
  assert.equal(whole.info.parameters - pruned.info.parameters, gone / 4);
  const headMask = [
    [1, 1, 1, 0],
    [0, 1, 0, 1],
  ];
  const [off] = await whole.classify('a fantastic movie', { headMask });
  const [without] = await pruned.classify('a fantastic movie');
  assert.equal(without.label, off.label);
  assert.ok(Math.abs(without.score - off.score) < 1e-6);

  const { attentions } = await pruned.forward('a movie', { attentions: true });
  assert.deepEqual(
    attentions.map(({ shape }) => shape[0]),
    [3, 2],
  );
  const { weights } = await pruned.attention('a movie');
  assert.deepEqual(weights.axes, ['layer', 'head', 'key']);
  assert.deepEqual(weights.shape.slice(0, 2), [2, 4]);
  assert.equal(Math.max(...weights.data.slice(3 * weights.shape[2], 4 * weights.shape[2])), 0);

  assert.match(await succeed(['prune', folder, '-o', output(), '--heads', '0.1']), /: 1 head fewer, /);
  assert.match(await succeed(['prune', folder, '-o', output(), '--heads', '0.1,1.1']), /: 2 heads fewer, /);
  // The mean, and the greatest, are those of the heads that are there.
  const size = weights.shape[2];
  const row = (layer, head) => [...weights.data.subarray((layer * 4 + head) * size, (layer * 4 + head + 1) * size)];
  const meanOf = (rows) => rows[0].map((_, i) => rows.reduce((sum, one) => sum + one[i], 0) / rows.length);
  for (const [options, expected] of [
    [{ layers: [0] }, meanOf([0, 1, 2].map((head) => row(0, head)))],
    [{ layers: [1] }, meanOf([1, 3].map((head) => row(1, head)))],
    [{}, [...meanOf([0, 1, 2].map((head) => row(0, head))), ...meanOf([1, 3].map((head) => row(1, head)))]],
    [{ layers: [1], heads: [0, 1] }, row(1, 1)],
    [{ layers: [1], heads: [0, 2] }, new Array(size).fill(0)],
  ]) {
    const reduced = (await pruned.attention('a movie', { ...options, reduceHeads: 'mean' })).weights;
    assert.equal(reduced.data.length, expected.length);
    reduced.data.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-6, `${JSON.stringify(options)} ${i}: ${value}, not ${expected[i]}`));
  }
  const line = await succeed(['attention', '-m', to, 'a movie']);
  assert.deepEqual(line.trim().split('\n').map((one) => one.split('\t')[1]), meanOf([1, 3].map((head) => row(1, head))).map((value) => value.toFixed(4)));

  // Again: numbers stay those of the whole model.
  const again = await prune(to, ['--heads', '1.1']);
  assert.deepEqual(again.report.prunedHeads, [[3], [0, 1, 2]]);
  assert.ok(again.report.hiddenStateDistance < 1e-5);
  await fail(['prune', to, '-o', output(), '--heads', '1.0'], 2, /gone already/);
  for (const model of [whole, pruned]) model.dispose();
});

test('heads by importance: the least of the mean over the texts go, and each layer keeps one', async () => {
  const folder = writeFolder(makeTinyModel());
  const data = path.join(temporaryFolder(), 'texts.tsv');
  const texts = ['a fantastic movie', 'the film was bad', 'good'];
  fs.writeFileSync(data, `text\n${texts.join('\n')}\n`);
  const model = await load(folder);
  const sums = new Float64Array(8);
  for (const text of texts) {
    const { scores } = await model.explain(text, { method: 'head-importance' });
    scores.data.forEach((score, i) => (sums[i] += score));
  }
  model.dispose();
  const least = [...sums.keys()].sort((a, b) => sums[a] - sums[b]).slice(0, 2);
  const { report } = await prune(folder, ['--count', '2', '--data', data]);
  assert.deepEqual(
    report.prunedHeads.flatMap((heads, layer) => heads.map((head) => layer * 4 + head)),
    least.sort((a, b) => a - b),
  );
  const most = await prune(folder, ['--count', '6', '--data', data]);
  assert.deepEqual(
    most.report.prunedHeads.map(({ length }) => length),
    [3, 3],
  );
  await fail(['prune', folder, '-o', output(), '--count', '7', '--data', data], 2, /more than the 6 heads/);
});

/** Of the heads that are there, the `count` whose sums are least: [layer, heads]. */
function leastOf(sums, heads, count) {
  const layers = sums.length / heads;
  const least = [...sums.keys()].sort((a, b) => sums[a] - sums[b]).slice(0, count);
  return Array.from({ length: layers }, (_, layer) =>
    least.filter((at) => Math.floor(at / heads) === layer).map((at) => at % heads).sort((a, b) => a - b),
  );
}

for (const [name, texts, targetsOf] of [
  ['bertrelkeyquery-tokcls', ['Angela Merkel met Tim Cook', 'in Berlin'], (n) => Array.from({ length: n - 2 }, (_, i) => ({ token: i + 1 }))],
  ['roberta-qa', ['Who?\tMarie Curie moved to Paris'], () => [{ position: 'start' }, { position: 'end' }]],
  ['bert-mlm', ['a [MASK] b [MASK]'], () => [{ token: 2 }, { token: 4 }]],
]) {
  test(`${name}: heads by importance, the mean over what the model is asked of a text`, async () => {
    const data = path.join(temporaryFolder(), 'texts.tsv');
    fs.writeFileSync(data, `${texts[0].includes('\t') ? 'text\ttext_pair' : 'text'}\n${texts.join('\n')}\n`);
    const model = await load(golden(name));
    const { numHiddenLayers: layers, numAttentionHeads: heads } = model.info;
    const sums = new Float64Array(layers * heads);
    for (const line of texts) {
      const [text, textPair] = line.split('\t');
      const input = textPair === undefined ? text : { text, textPair };
      const targets = targetsOf((await model.tokenize(input)).ids.length);
      assert.ok(targets.length > 1);
      for (const target of targets) {
        const { scores } = await model.explain(input, { method: 'head-importance', target });
        scores.data.forEach((score, i) => (sums[i] += score / targets.length));
      }
    }
    model.dispose();
    const { report } = await prune(golden(name), ['--count', '1', '--data', data]);
    assert.deepEqual(report.prunedHeads, leastOf(sums, heads, 1));
  });
}

test('importance that cannot be had: no mask, no head', async () => {
  const data = path.join(temporaryFolder(), 'texts.tsv');
  fs.writeFileSync(data, 'text\na film\n');
  await fail(['prune', golden('bert-mlm'), '-o', output(), '--count', '1', '--data', data], 1, /E_INVALID_ARGUMENT: The text "a film" of --data has no \[MASK\]/);
  const bare = golden('electra-discriminator');
  await fail(['prune', bare, '-o', output(), '--count', '1', '--data', data], 1, /E_TASK_MISMATCH: .*ElectraForPreTraining\nName the heads by --heads\./);
});

for (const name of ['distilbert-seqcls', 'roberta-qa', 'ernie-seqcls', 'bertrelkeyquery-tokcls', 'electra-discriminator', 'roformer-seqcls']) {
  test(`${name} without two heads`, async () => {
    const { report } = await prune(golden(name), ['--heads', '0.0,1.1']);
    assert.deepEqual(report.prunedHeads.slice(0, 2), [[0], [1]]);
    assert.ok(report.hiddenStateDistance < 1e-4, `${report.hiddenStateDistance}`);
    assert.ok(report.sizes.after < report.sizes.before);
  });
}

test('a pack, and a folder of shards', async () => {
  const folder = writeFolder(makeTinyModel({ shards: 3 }));
  const { to } = await prune(folder, ['--heads', '0.1']);
  const index = JSON.parse(fs.readFileSync(path.join(to, 'model.safetensors.index.json')));
  const sizes = Object.values(index.weight_map).length;
  assert.ok(sizes > 20);
  assert.ok(index.metadata.total_size < JSON.parse(fs.readFileSync(path.join(folder, 'model.safetensors.index.json'))).metadata.total_size);

  const packed = output();
  await succeed(['pack', to, '-o', packed]);
  const { to: twice, report } = await prune(packed, ['--heads', '1.3']);
  assert.deepEqual(report.prunedHeads, [[1], [3]]);
  assert.ok(report.sizes.after < report.sizes.before);
  // Heads that are off take part in the rounding of activations to 8 bits, so that results differ; what is left of the codes does not.
  const [before, after] = [packed, twice].map(tensorsOf);
  const attention = 'bert.encoder.layer.1.attention';
  const kept = (data, width, from) => data.filter((_, i) => Math.floor((i % width) / from) !== 3);
  for (const [tensor, width, from] of [
    ['self.query.weight_int8', Infinity, 8 * 32],
    ['self.value.weight_scale', Infinity, 8],
    ['self.key.bias', Infinity, 8],
    ['output.dense.weight_int8', 32, 8],
    ['output.dense.weight_scale', Infinity, Infinity],
    ['output.dense.bias', Infinity, Infinity],
  ]) {
    const [whole, cut] = [before, after].map((tensors) => tensors[`${attention}.${tensor}`].data);
    assert.deepEqual(cut, kept(whole, width, from), tensor);
  }
  assert.match(await succeed(['info', '-m', twice, '--verify']), /verifiedFiles/);
});

test('what cannot be pruned is told, and nothing is left', async () => {
  const folder = writeFolder(makeTinyModel());
  const to = output();
  const refused = (args, code, error) => fail(['prune', folder, '-o', to, ...args], code, error);
  await refused([], 2, /either --heads or --count/);
  await refused(['--heads', '0.1', '--count', '1'], 2, /either --heads or --count/);
  await refused(['--count', '1'], 2, /--data FILE is missing/);
  await refused(['--heads', '2.0'], 2, /not LAYER.HEAD from 0.0 to 1.3/);
  await refused(['--heads', '0.4'], 2, /not LAYER.HEAD/);
  await refused(['--heads', 'x'], 2, /not LAYER.HEAD/);
  await refused(['--heads', '0.0,0.0'], 2, /gone already/);
  await refused(['--heads', '0.0,0.1,0.2,0.3'], 2, /leaves layer 0 without a head/);
  await fail(['prune', folder, '--heads', '0.1'], 2, /-o FOLDER is missing/);
  await fail(['prune', golden('albert-mlm'), '-o', to, '--heads', '0.1'], 1, /E_UNSUPPORTED_OPTION.*albert/s);
  const parts = output();
  await succeed(['pack', writeFolder(makeTinyModel({ hidden: 128 })), '-o', parts, '--max-part', '100KB']);
  await fail(['prune', parts, '-o', to, '--heads', '0.1'], 1, /E_INVALID_ARGUMENT.*pack in parts/s);
  const empty = writeFolder({ 'config.json': Buffer.from('{}') });
  await fail(['prune', empty, '-o', to, '--heads', '0.1'], 1, /E_NOT_FOUND.*safe_serialization/s);
  assert.deepEqual(fs.readdirSync(path.dirname(to)), []);
});
