// Values of every wrong type, at every place of every call: a typed error, or a result, and the model works afterwards.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { library } from '../support/built.mjs';
import { answers, classifier, entailment, entities, folder, golden, masks, models, ranker, sentences } from '../support/task-models.mjs';
import { temporaryFolder } from '../support/tiny-model.mjs';

const { HeadlightError, cachedFiles, clearCache, expandAttention, faithfulness, load, loadTokenizer, pipeline, prefetch, search } = library;
const { DirectoryHandleSource, DirectorySource, FilesSource, UrlSource } = library;

const detached = () => {
  const floats = new Float32Array(4);
  structuredClone(floats.buffer, { transfer: [floats.buffer] });
  return floats;
};
const revoked = (target) => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};
const hostile = (target) => {
  const fail = () => {
    throw new TypeError('a trap');
  };
  return new Proxy(target, { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail, getPrototypeOf: fail });
};
const cyclic = {};
cyclic.self = cyclic;
const sparse = [];
sparse.length = 2 ** 32 - 1;

/** By name, made anew for each call. */
const values = {
  null: () => null,
  undefined: () => undefined,
  true: () => true,
  0: () => 0,
  '-0': () => -0,
  '-1': () => -1,
  1.5: () => 1.5,
  NaN: () => NaN,
  Infinity: () => Infinity,
  '1e300': () => 1e300,
  '2**32': () => 2 ** 32 + 1,
  BigInt: () => 1n,
  'a huge BigInt': () => 10n ** 400n,
  symbol: () => Symbol('s'),
  'an empty string': () => '',
  'a string': () => 'none',
  'a lone surrogate': () => '\ud800',
  'a character 0': () => '\0',
  'an empty list': () => [],
  'a list of BigInt': () => [1n],
  'a list of symbols': () => [Symbol('s')],
  'a list of lists of BigInt': () => [[1n, 0n]],
  'a list of null': () => [null, undefined],
  'a list of functions': () => [() => 1],
  'a sparse list': () => sparse,
  'a large list': () => new Array(1e5).fill(0),
  'an object': () => ({ no: 'such' }),
  'an empty object': () => ({}),
  'a frozen object': () => Object.freeze({ no: 1 }),
  'an object without prototype': () => Object.create(null),
  'a getter that throws': () => ({
    get text() {
      throw new RangeError('a getter');
    },
  }),
  'a getter that throws, in a list': () => [
    {
      get text() {
        throw new RangeError('a getter');
      },
    },
  ],
  'toString and toJSON that throw': () => ({
    toString() {
      throw new Error('no text');
    },
    toJSON() {
      throw new Error('no JSON');
    },
  }),
  'an object in a circle': () => cyclic,
  'a function': () => () => 1,
  'a class': () => class {},
  'a Map': () => new Map([['a', 1]]),
  'a Date': () => new Date(0),
  'a date that is none': () => new Date(NaN),
  'a promise': () => Promise.resolve(1),
  'a Proxy whose traps throw': () => hostile({}),
  'a Proxy of a list': () => hostile([]),
  'a Proxy of a function': () => hostile(() => 1),
  'a Proxy that was revoked': () => revoked({}),
  'a Proxy of a list that was revoked': () => revoked([]),
  'a detached array': detached,
  'a Float32Array': () => new Float32Array([1, NaN]),
  'a BigInt64Array': () => new BigInt64Array(2),
  'an ArrayBuffer': () => new ArrayBuffer(8),
  'a Headers': () => new Headers({ a: 'b' }),
  'a URL': () => new URL('data:,x'),
};

const tokenizer = await loadTokenizer(folder);
after(() => [...models, tokenizer].forEach((model) => model.dispose()));
const expected = await classifier.classify('a good film');

const { words } = await classifier.explain('a film', { words: true });
const wordScores = { words, scores: words.map((_, i) => i) };
const { compactAttentions } = await classifier.forward('a film', { compactAttentions: true });
const vectors = [new Float32Array([1, 0]), new Float32Array([0, 1])];
const text = ['overlong', 'maxLength', 'headMask', 'specialTokensInText'];
const run = ['signal', 'onProgress'];
const source = { list: async () => ['config.json'], open: async () => null };

/**
 * Each call as a function of its arguments, arguments that are right, and the options by name; these come last unless
 * `optionsAt` says where.
 */
const calls = {
  classify: [(...args) => classifier.classify(...args), ['a film'], [...run, ...text, 'stride', 'topK', 'threshold', 'functionToApply']],
  'classify a list': [(...args) => classifier.classify(...args), [['a film', { text: 'a', textPair: 'b' }]], []],
  'classify a pair': [(input, textPair) => classifier.classify({ text: input, textPair }), ['a', 'b'], []],
  'classify, a list of': [(input) => classifier.classify(['a', input]), ['a'], []],
  entities: [(...args) => entities.entities(...args), ['a'], [...run, ...text, 'stride', 'aggregation', 'ignoreLabels']],
  fillMask: [(...args) => masks.fillMask(...args), ['a [MASK]'], [...run, 'overlong', 'maxLength', 'headMask', 'topK', 'targets']],
  answer: [
    (question, context, options) => answers.answer({ question, context }, options),
    ['who?', 'a film'],
    [...run, ...text, 'stride', 'topK', 'maxAnswerLength', 'allowNoAnswer', 'alignToWords'],
  ],
  'answer a list': [(...args) => answers.answer(...args), [[{ question: 'who?', context: 'a' }]], []],
  nextSentence: [(...args) => sentences.nextSentence(...args), [{ text: 'a', textPair: 'b' }], [...run, ...text]],
  embed: [
    (...args) => classifier.embed(...args),
    ['a'],
    [...run, ...text, 'pooling', 'layer', 'normalize', 'prompt', 'promptName', 'taskTypeId'],
  ],
  zeroShot: [(...args) => entailment.zeroShot(...args), ['a', ['b']], [...run, ...text, 'hypothesisTemplate', 'multiLabel']],
  rank: [(...args) => ranker.rank(...args), ['a', ['b']], [...run, ...text, 'topK']],
  attention: [
    (...args) => classifier.attention(...args),
    ['a film'],
    [...run, ...text, 'query', 'layers', 'heads', 'reduceHeads', 'reduceLayers', 'scale', 'specialTokens', 'words'],
  ],
  explain: [
    (...args) => classifier.explain(...args),
    ['a film'],
    [...run, ...text, 'method', 'target', 'words', 'steps', 'baseline', 'occlude', 'details', 'attentionGradients', 'globalTokens', 'taskTypeId'],
  ],
  'explain a target': [(label) => classifier.explain('a', { method: 'gradient-input', target: { label } }), ['POSITIVE'], []],
  'explain a token': [(token, position) => answers.explain('a', { method: 'gradient-input', target: { token, position } }), [0, 'end'], []],
  forward: [
    (...args) => classifier.forward(...args),
    ['a film'],
    [
      ...run,
      ...['logits', 'lastHiddenState', 'poolerOutput', 'hiddenStates', 'attentions', 'queriesKeysValues', 'compactAttentions'],
      ...['layers', 'heads', 'globalTokens', 'headMask', 'taskTypeId'],
      ...['addSpecialTokens', 'maxLength', 'truncation', 'padding', 'specialTokensInText'],
    ],
  ],
  tokenize: [
    (...args) => tokenizer.tokenize(...args),
    ['a film'],
    ['textPair', 'addSpecialTokens', 'maxLength', 'truncation', 'padding', 'stride', 'specialTokensInText'],
  ],
  decode: [(...args) => tokenizer.decode(...args), [[5]], ['skipSpecialTokens']],
  'decode a list of': [(id) => tokenizer.decode([id]), [5], []],
  tokenToId: [(token) => tokenizer.tokenToId(token), ['a'], []],
  idToToken: [(id) => tokenizer.idToToken(id), [5], []],
  search: [async (...args) => search(...args), [vectors, vectors[0]], ['topK', 'metric']],
  'search a list of': [async (...args) => search([vectors[0], ...args], vectors[0]), [vectors[1]], []],
  'search a tensor': [async (data, shape) => search({ data, shape }, vectors[0]), [vectors[1], [1, 2]], []],
  faithfulness: [(...args) => faithfulness(...args), [classifier, 'a film', wordScores], [...run, ...text, 'target', 'randomOrders', 'seed']],
  'faithfulness of': [(of, scores) => faithfulness(classifier, 'a film', { words: of, scores }), [words, wordScores.scores], []],
  expandAttention: [async (...args) => expandAttention(...args), [compactAttentions[0], 0], []],
  'expandAttention of': [
    async (firstRange, ranges, weights) => expandAttention({ ...compactAttentions[0], firstRange, ranges, weights }, 0),
    ['firstRange', 'ranges', 'weights'].map((name) => compactAttentions[0][name]),
    [],
  ],
  load: [
    (...args) => load(...args).then((model) => model.dispose()),
    [folder],
    [...run, 'precision', 'threads', 'worker', 'cache', 'retries', 'fetch', 'headers', 'build', 'wasmUrl', 'logger'],
  ],
  'load, addresses of workers': [
    (workerUrl, threadsWorkerUrl) => load(folder, { workerUrl, threadsWorkerUrl }).then((model) => model.dispose()),
    ['a', 'b'],
    [],
  ],
  'load from a source': [(list, open) => load({ list, open }), [source.list, source.open], []],
  'load from a source that lists': [(names) => load({ ...source, list: () => names }), [['config.json']], []],
  'load from a source that opens': [(file) => load({ ...source, open: () => file }), [null], []],
  'load files': [(file) => load([file]), [new File([], 'config.json')], []],
  'load from a cache': [(directory) => load('http://localhost:1/', { cache: { directory } }), ['a'], []],
  loadTokenizer: [(...args) => loadTokenizer(...args).then((one) => one.dispose()), [folder], ['signal', 'worker', 'cache', 'headers', 'build']],
  prefetch: [(...args) => prefetch(...args), ['http://localhost:1/'], [...run, 'precision', 'cache', 'retries', 'fetch', 'logger']],
  cachedFiles: [(options) => cachedFiles(options), [], ['location', 'cache']],
  clearCache: [(options) => clearCache(options), [], ['location', 'cache']],
  'clearCache in a directory': [(directory) => clearCache({ cache: { directory } }), [temporaryFolder()], []],
  UrlSource: [async (...args) => new UrlSource(...args), ['http://localhost:1/'], ['cache', 'retries', 'fetch', 'headers', 'logger']],
  DirectorySource: [async (...args) => new DirectorySource(...args).list(), [folder], []],
  FilesSource: [async (...args) => new FilesSource(...args).list(), [[new File([], 'config.json')]], []],
  DirectoryHandleSource: [async (...args) => new DirectoryHandleSource(...args), [{ getFileHandle() {} }], []],
  pipeline: [
    (...args) => pipeline(...args).then((pipe) => pipe.dispose()),
    ['text-classification', folder],
    ['dtype', 'device', 'progress_callback', 'threads', 'threadsWorkerUrl', 'cache', 'headers'],
  ],
};
for (const [task, at, args, options] of [
  ['text-classification', folder, ['a'], ['top_k', 'function_to_apply']],
  ['token-classification', golden('bertrelkeyquery-tokcls'), ['a'], ['ignore_labels', 'aggregation_strategy', 'stride']],
  ['fill-mask', golden('bert-mlm'), ['a [MASK]'], ['top_k', 'targets']],
  ['question-answering', golden('roberta-qa'), ['who?', 'a film'], ['top_k', 'max_answer_len', 'max_seq_len', 'doc_stride']],
  ['zero-shot-classification', golden('roberta-nli'), ['a', ['b']], ['hypothesis_template', 'multi_label']],
  ['feature-extraction', folder, ['a'], ['pooling', 'normalize']],
]) {
  const pipe = await pipeline(task, at);
  models.push(pipe);
  calls[task] = [pipe, args, [...run, ...options]];
}

/** What a caller's own callbacks and sources throw passes through: a class cannot be called, a Proxy not waited for. */
const isOfCaller = (where, error) =>
  error instanceof TypeError && (/^Class constructor/.test(error.message) || (/^load from a source that/.test(where) && /^a trap$|revoked/.test(error.message)));

async function tryCall(where, call) {
  try {
    await call();
  } catch (error) {
    if (isOfCaller(where, error)) return;
    assert.ok(error instanceof HeadlightError, `${where}: ${error instanceof Error ? error.stack : 'no error'}`);
    assert.notEqual(error.code, 'E_INTERNAL', `${where}: ${error.message}`);
    assert.ok(error.message.length < 400, `${where}: a message of ${error.message.length} characters`);
    assert.doesNotMatch(error.message, /\[object|undefined is not/, where);
  }
}

for (const [name, [call, args, options]] of Object.entries(calls)) {
  test(`${name} with values of every wrong type`, async () => {
    for (const [what, make] of Object.entries(values)) {
      for (const at of args.keys()) {
        await tryCall(`${name}, argument ${at}, ${what}`, () => call(...args.map((arg, i) => (i === at ? make() : arg))));
      }
      if (options.length > 0) await tryCall(`${name}, options, ${what}`, () => call(...args, make()));
      for (const option of options) await tryCall(`${name}, ${option}, ${what}`, () => call(...args, { [option]: make() }));
    }
    assert.deepEqual(await classifier.classify('a good film'), expected);
  });
}
