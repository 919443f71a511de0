// Options that there are not, and settings that make no sense, in every function of the package that takes options.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { library } from '../support/built.mjs';
import { committedGolden } from '../support/golden.mjs';
import { serveFiles } from '../support/model-server.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

const { UrlSource, cachedFiles, clearCache, faithfulness, load, loadTokenizer, pipeline, prefetch, search } = library;
const golden = (name) => path.join(committedGolden, name);
const files = makeTinyModel();
const folder = writeFolder(files);
const model = await load(folder);
const address = 'http://localhost:1/';
const unknown = (message) => ({ name: 'HeadlightError', code: 'E_INVALID_ARGUMENT', message });
after(() => model.dispose());

/** Each function with the options last, a mistyped option, and the one that is meant. */
const calls = [
  [(options) => load(folder, options), { presicion: 'int8' }, 'precision'],
  [(options) => load(folder, options), { Threads: 2 }, 'threads'],
  [(options) => loadTokenizer(folder, options), { header: {} }, 'headers'],
  [(options) => prefetch(address, options), { cahce: 'persistent' }, 'cache'],
  [cachedFiles, { locaton: address }, 'location'],
  [clearCache, { locaton: address }, 'location'],
  [(options) => pipeline('fill-mask', golden('bert-mlm'), options), { dtyp: 'q8' }, 'dtype'],
  [async (options) => search([], new Float32Array(1), options), { top_k: 1 }, 'topK'],
  [(options) => faithfulness(model, 'a', { words: [], scores: [] }, options), { sed: 2 }, 'seed'],
  [async (options) => new UrlSource(address, options), { retrys: 1 }, 'retries'],
  [(options) => model.classify('a', options), { topk: 1 }, 'topK'],
  [(options) => model.embed('a', options), { normalise: true }, 'normalize'],
  [(options) => model.attention('a', options), { layer: [0] }, 'layers'],
  [(options) => model.forward('a', options), { hidden_states: true }, 'hiddenStates'],
  [(options) => model.explain('a', options), { step: 5 }, 'steps'],
  [(options) => model.explain([], options), { step: 5 }, 'steps'],
  [(options) => model.entities('a', options), { agregation: 'simple' }, 'aggregation'],
  [(options) => model.fillMask('a', options), { target: ['a'] }, 'targets'],
  [(options) => model.answer({ question: 'a', context: 'b' }, options), { topK_: 1 }, 'topK'],
  [(options) => model.nextSentence('a', options), { maxlength: 5 }, 'maxLength'],
  [(options) => model.zeroShot('a', ['b'], options), { label: ['c'] }, null],
  [(options) => model.zeroShot('a', ['b'], options), { multi_label: true }, 'multiLabel'],
  [(options) => model.rank('a', ['b'], options), { top_K: 1 }, 'topK'],
  [(options) => model.tokenize('a', options), { maxlen: 5 }, null],
  [(options) => model.decode([5], options), { skipSpecialToken: false }, 'skipSpecialTokens'],
];

test('a mistyped option is named, with the one that is meant', async () => {
  for (const [call, options, meant] of calls) {
    const [name] = Object.keys(options);
    const instead = meant ? `is '${meant}' meant\\?` : 'there are ';
    await assert.rejects(call(options), unknown(new RegExp(`^There is no option '${name}' .*: ${instead}`)), name);
    // Its value makes no difference.
    await assert.rejects(call({ [name]: undefined }), unknown(/There is no option/), name);
  }
});

test('an option that is like no other is named, with those that there are', async () => {
  for (const [call] of calls) {
    await assert.rejects(call({ nonsense: 1 }), unknown(/^There is no option 'nonsense' .*: there are \w+/));
  }
  await assert.rejects(clearCache({ nonsense: 1 }), unknown(/there are location, cache$/));
  await assert.rejects(model.classify('a', JSON.parse('{"__proto__":1}')), unknown(/no option '__proto__'/));
});

test('pipelines name their own options', async () => {
  for (const [task, at, args, options, meant] of [
    ['text-classification', folder, ['a'], { topK: 2 }, 'top_k'],
    ['token-classification', golden('bertrelkeyquery-tokcls'), ['a'], { aggregationStrategy: 'simple' }, 'aggregation_strategy'],
    ['question-answering', golden('roberta-qa'), ['who?', 'a'], { max_answer_length: 5 }, 'max_answer_len'],
    ['zero-shot-classification', golden('roberta-nli'), ['a', ['b']], { multiLabel: true }, 'multi_label'],
    ['feature-extraction', folder, ['a'], { normalise: true }, 'normalize'],
  ]) {
    const pipe = await pipeline(task, at);
    await assert.rejects(pipe(...args, options), unknown(new RegExp(`is '${meant}' meant\\?`)), task);
    await pipe.dispose();
  }
  const pipe = await pipeline('text-classification', folder, { threadsWorkerUrl: 'file:///threads-worker.js', dtype: null, worker: null });
  assert.equal((await pipe('a')).length, 1);
  await pipe.dispose();
});

test('clearCache with a mistyped option removes nothing', async () => {
  const server = await serveFiles(files);
  const cache = { directory: temporaryFolder() };
  const copies = await prefetch(server.url, { cache });
  await assert.rejects(clearCache({ cache, locaton: address }), unknown(/'location' meant/));
  await assert.rejects(clearCache({ cache, location: null }), unknown(/must be a URL/));
  assert.deepEqual(await cachedFiles({ cache }), copies);
  assert.ok((await clearCache({ cache, location: server.url })) > 0);
  await server.close();
});

test('settings of a cache that make no sense', async () => {
  const file = path.join(temporaryFolder(), 'file');
  fs.writeFileSync(file, '');
  const before = fs.readdirSync('.');
  for (const directory of ['', ' ', 'a\0b', 5, [], {}, undefined]) {
    const refused = unknown(/directory/);
    const cache = { directory };
    await assert.rejects(load(folder, { cache }), refused);
    await assert.rejects(loadTokenizer(folder, { cache }), refused);
    await assert.rejects(prefetch(address, { cache }), refused);
    await assert.rejects(cachedFiles({ cache }), refused);
    await assert.rejects(clearCache({ cache }), refused);
    assert.throws(() => new UrlSource(address, { cache }), refused);
  }
  for (const cache of ['', 'Persistent', 'no', true, 5, []]) {
    await assert.rejects(load(folder, { cache }), unknown(/cache must be 'default', 'none', 'persistent' or \{ directory \}/));
    await assert.rejects(clearCache({ cache }), unknown(/cache must be 'persistent' or \{ directory \}/));
  }
  await assert.rejects(load(folder, { cache: { directory: 'a', dir: 'b' } }), unknown(/no option 'dir' of cache/));
  for (const cache of ['default', 'none']) {
    await assert.rejects(cachedFiles({ cache }), unknown(/cache must be/));
    await assert.rejects(prefetch(address, { cache }), unknown(/nothing is kept/));
  }
  await assert.rejects(cachedFiles({ cache: { directory: file } }), { ...unknown(/The cache in .* fails: .*ENOTDIR/), file });
  await assert.rejects(clearCache({ cache: { directory: file } }), { ...unknown(/The cache in .* fails: .*ENOTDIR/), file });
  assert.deepEqual(fs.readdirSync('.'), before);
});

test('options of a load that are of another kind', async () => {
  for (const [option, value, message] of [
    ['fetch', 'fetch', /fetch must be a function, not "fetch"/],
    ['headers', new Headers({ a: 'b' }), /headers must be an object of strings/],
    ['headers', { a: 5 }, /headers\["a"\] must be a string, not 5/],
    ['logger', { info() {} }, /logger must have the functions info and warn/],
    ['workerUrl', 5, /workerUrl must be an address/],
    ['wasmUrl', { relaxd: 'a' }, /no option 'relaxd' of wasmUrl: is 'relaxed' meant\?/],
    ['retries', 1.5, /retries must be a whole number/],
    ['precision', 'fp16', /precision must be "auto" or "float32" or "int8", not "fp16"/],
    ['build', Symbol('x'), /build must be/],
    ['threads', 2n, /threads must be .*, not the BigInt 2/],
  ]) {
    await assert.rejects(load(folder, { [option]: value }), unknown(message), option);
  }
});

test('numbers and heads that JSON cannot hold are named with their place', async () => {
  for (const [options, message] of [
    [{ headMask: [[1, 1, 1, 1], [1, 0n, 1, 1]] }, /^headMask\[1\]\[1\] cannot be the BigInt 0$/],
    [{ headMask: [[1, undefined]] }, /^headMask\[0\]\[1\] cannot be undefined$/],
    [{ headMask: Symbol('x') }, /^headMask cannot be a symbol$/],
    [{ maxLength: 5n }, /^maxLength cannot be the BigInt 5$/],
    [{ topK: () => 5 }, /^topK cannot be a function$/],
  ]) {
    await assert.rejects(model.classify('a', options), unknown(message));
  }
  await assert.rejects(model.explain('a', { target: { label: 1n } }), unknown(/^target\.label cannot be the BigInt 1$/));
  await assert.rejects(model.decode([2 ** 32 + 5]), unknown(/There is no id 4294967301/));
  assert.equal(await model.idToToken(2 ** 32 + 5), null);
});
