// pipeline(): names, shapes and refusals. tests/web/tasks.test.mjs compares its numbers.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { library } from '../support/built.mjs';
import { committedGolden } from '../support/golden.mjs';
import { makeTinyModel, writeFolder } from '../support/tiny-model.mjs';

const { pipeline } = library;
const classifier = writeFolder(makeTinyModel());
const golden = (name) => path.join(committedGolden, name);

test('text-classification: a list; a list a text where top_k is not 1', async () => {
  const pipe = await pipeline('sentiment-analysis', classifier);
  assert.equal(pipe.task, 'text-classification');
  const one = await pipe('a good film');
  assert.deepEqual(one.map((label) => Object.keys(label)), [['label', 'score']]);
  assert.deepEqual(await pipe(['a good film', 'a film']), [one[0], (await pipe('a film'))[0]]);
  assert.equal((await pipe('a good film', { top_k: null })).length, 2);
  assert.deepEqual(
    (await pipe(['a good film', 'a film'], { top_k: 2 })).map(({ length }) => length),
    [2, 2],
  );
  assert.equal((await pipe({ text: 'a', text_pair: 'b' })).length, 1);
  assert.deepEqual(await pipe([]), []);
  await assert.rejects(pipe('a', { topk: 1 }), { code: 'E_INVALID_ARGUMENT', message: /topk/ });
  assert.equal(pipe.model.info.family, 'bert');
  assert.equal((await pipe.tokenizer.tokenize('a')).tokens.length, 3);
  await pipe.dispose();
  await assert.rejects(pipe('a'), { code: 'E_DISPOSED' });
});

test('token-classification', async () => {
  const pipe = await pipeline('ner', golden('bertrelkeyquery-tokcls'));
  const text = 'Angela Merkel met Tim Cook in Berlin';
  const tokens = await pipe(text);
  assert.deepEqual(Object.keys(tokens[0]).sort(), ['end', 'entity', 'index', 'score', 'start', 'word']);
  const groups = await pipe([text, ''], { aggregation_strategy: 'simple' });
  assert.deepEqual(Object.keys(groups[0][0]).sort(), ['end', 'entity_group', 'score', 'start', 'word']);
  assert.deepEqual(groups[1], []);
  const all = await pipe(text, { ignore_labels: [] });
  assert.ok(all.length >= tokens.length);
  await pipe(text.repeat(60), { stride: 4 });
  await pipe.dispose();
});

test('fill-mask', async () => {
  const pipe = await pipeline('fill-mask', golden('bert-mlm'));
  const filled = await pipe('a [MASK] b', { top_k: 2 });
  assert.equal(filled.length, 2);
  assert.deepEqual(Object.keys(filled[0]).sort(), ['score', 'sequence', 'token', 'token_str']);
  assert.equal((await pipe(['a [MASK]', '[MASK] [MASK]']))[1].length, 2);
  assert.equal((await pipe('a [MASK]', { targets: filled[0].token_str })).length, 1);
  await assert.rejects(pipe('a'), { code: 'E_INVALID_ARGUMENT', message: /\[MASK\]/ });
  await pipe.dispose();
});

test('question-answering: one answer, several, many questions', async () => {
  const pipe = await pipeline('question-answering', golden('roberta-qa'));
  const context = 'Marie Curie moved from Warsaw to Paris in 1891';
  const answer = await pipe('Where did she move?', context);
  assert.equal(context.slice(answer.start, answer.end), answer.answer);
  assert.equal((await pipe('Where?', context, { top_k: 3 })).length, 3);
  const many = await pipe(['Where?', 'When?'], context);
  assert.deepEqual(many[0], await pipe('Where?', context));
  assert.equal((await pipe(['Where?'], [context], { top_k: 2 }))[0].length, 2);
  await assert.rejects(pipe(['Where?'], [context, context]), { code: 'E_INVALID_ARGUMENT' });
  await assert.rejects(pipe('Where?'), { code: 'E_INVALID_ARGUMENT' });
  await pipe.dispose();
});

test('zero-shot-classification', async () => {
  const pipe = await pipeline('zero-shot-classification', golden('roberta-nli'));
  const one = await pipe('a film', ['art', 'sport']);
  assert.deepEqual([...one.labels].sort(), ['art', 'sport']);
  assert.deepEqual(await pipe(['a film'], ['art', 'sport']), [one]);
  assert.deepEqual((await pipe('a film', 'art')).labels, ['art']);
  await assert.rejects(pipe('a film', []), { code: 'E_INVALID_ARGUMENT' });
  await pipe.dispose();
});

test('feature-extraction: a tensor with dims and tolist()', async () => {
  const pipe = await pipeline('embeddings', classifier);
  const { hiddenSize } = pipe.model.info;
  const tokens = await pipe(['a good film', 'a']);
  assert.deepEqual(tokens.dims, [2, 5, hiddenSize]);
  assert.equal(tokens.type, 'float32');
  assert.equal(tokens.size, tokens.data.length);
  const nested = tokens.tolist();
  assert.equal(nested[1][2].length, hiddenSize);
  assert.deepEqual(nested[1][4], Array(hiddenSize).fill(0));
  const pooled = await pipe(['a', 'a film'], { pooling: 'mean', normalize: true });
  assert.deepEqual(pooled.dims, [2, hiddenSize]);
  assert.deepEqual((await pipe('a', { pooling: 'first_token' })).dims, [1, hiddenSize]);
  await assert.rejects(pipe('a', { pooling: 'eos' }), { code: 'E_INVALID_ARGUMENT', message: /pooling/ });
  await assert.rejects(pipe('a', { quantize: true }), { code: 'E_INVALID_ARGUMENT', message: /quantize/ });
  await pipe.dispose();
});

test('what is not there is refused by its name', async () => {
  const refused = (task, options, message) =>
    assert.rejects(pipeline(task, classifier, options), { code: 'E_INVALID_ARGUMENT', message });
  await refused('text-generation', {}, /text-generation/);
  await refused('toString', {}, /toString/);
  await refused('text-classification', { device: 'webgpu' }, /webgpu/);
  await refused('text-classification', { dtype: 'q4' }, /q4/);
  await refused('text-classification', { revision: 'main' }, /revision/);
  await assert.rejects(pipeline('ner', classifier), { code: 'E_TASK_MISMATCH' });
});

test('dtype, device and progress are understood', async () => {
  const events = [];
  const pipe = await pipeline('text-classification', classifier, {
    dtype: 'q8',
    device: 'wasm',
    local_files_only: true,
    progress_callback: (event) => events.push(event),
  });
  assert.equal(pipe.model.info.dtype, 'int8');
  assert.ok(events.length > 1);
  assert.ok(events.slice(0, -1).every(({ status, progress }) => status === 'progress' && progress <= 100));
  assert.deepEqual(events.at(-1), { status: 'ready', task: 'text-classification', model: classifier });
  await pipe.dispose();
});
