// headlight eval: figures of models whose answers are known, and files that are refused.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { importModule, library } from '../support/built.mjs';
import { fail, jsonLines, succeed } from '../support/command.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';
import { makeFillingModel, makeTaggingModel } from '../support/told-model.mjs';

const classifier = writeFolder(makeTinyModel());
const labels = ['O', 'B-FILM', 'I-FILM', 'B-MOOD', 'I-MOOD'];
const tagger = writeFolder(
  makeTaggingModel({ labels, labelOf: { film: 'B-FILM', movie: 'B-FILM', it: 'I-FILM', bad: 'B-MOOD', '##s': 'B-MOOD' } }),
);
const filler = writeFolder(makeFillingModel({ ranking: ['film', 'movie', 'good', 'bad', 'was', 'a'] }));

function fileOf(text, name = 'data.tsv') {
  const file = path.join(temporaryFolder(), name);
  fs.writeFileSync(file, text);
  return file;
}

const evaluate = (model, data, ...options) => succeed(['eval', '-m', model, '--data', data, ...options]);
const figures = async (...args) => JSON.parse(await evaluate(...args, '--json'));

const texts = ['a good film', 'it was bad', 'the movie was fantastic'];

/** The labels that the classifier gives to the texts, the last one replaced by another. */
async function labelsWithOneWrong() {
  const lines = jsonLines(await succeed(['classify', '-m', classifier, '--json', '--top', '1', ...texts]));
  const own = lines.map((line) => line.labels[0].label);
  return own.with(-1, own.at(-1) === 'POSITIVE' ? 'NEGATIVE' : 'POSITIVE');
}

test('classification: names and indices of labels', async () => {
  const given = await labelsWithOneWrong();
  const table = (labelOf) => fileOf(`label\ttext\n${texts.map((text, row) => `${labelOf(given[row])}\t${text}\n`).join('')}`);
  const data = table((label) => label);
  assert.equal(await evaluate(classifier, data), '2/3 = 66.67 %\n');
  assert.deepEqual(await figures(classifier, data), { correct: 2, total: 3, accuracy: 2 / 3, truncated: 0 });
  const names = (await library.load(classifier)).info.labels;
  assert.equal(await evaluate(classifier, table((label) => names.indexOf(label))), '2/3 = 66.67 %\n');
});

test('classification: by source, in the order of the file', async () => {
  const given = await labelsWithOneWrong();
  const sources = ['web', 'press', 'web'];
  const rows = texts.map((text, row) => `${text}\t${sources[row]}\t${given[row]}\n`).join('');
  const data = fileOf(`text\tsource\tlabel\r\n${rows.replaceAll('\n', '\r\n')}`);
  assert.equal(await evaluate(classifier, data), 'web: 1/2 = 50.00 %\npress: 1/1 = 100.00 %\nall: 2/3 = 66.67 %\n');
  assert.deepEqual((await figures(classifier, data)).sources, {
    web: { correct: 1, total: 2, accuracy: 0.5 },
    press: { correct: 1, total: 1, accuracy: 1 },
  });
});

test('classification: pairs, and texts that are cut', async () => {
  const pair = { text: 'a good film', textPair: 'it was bad' };
  const [{ label }] = await (await library.load(classifier)).classify(pair);
  assert.equal(await evaluate(classifier, fileOf(`text\ttext_pair\tlabel\n${pair.text}\t${pair.textPair}\t${label}\n`)), '1/1 = 100.00 %\n');
  const long = fileOf(`label\ttext\n${label}\t${'film '.repeat(200)}\n${label}\tfilm\n`);
  assert.match(await evaluate(classifier, long), /\ntexts that were cut: 1\n$/);
  assert.equal((await figures(classifier, long, '--max-length', '202')).truncated, 0);
});

test('--against: for how many texts two models say the same', async () => {
  const data = fileOf(`label\ttext\n${texts.map((text) => `POSITIVE\t${text}\n`).join('')}`);
  const other = writeFolder(makeTinyModel({ seed: 3 }));
  const [own, theirs] = await Promise.all(
    [classifier, other].map(async (folder) => (await library.load(folder)).classify(texts, { topK: 1 })),
  );
  const same = own.filter(([best], index) => best.label === theirs[index][0].label).length;
  assert.ok(same < texts.length);
  assert.deepEqual((await figures(classifier, data, '--against', other)).agreement, { same, total: 3 });
  const lines = (await evaluate(classifier, data, '--against', classifier)).split('\n');
  assert.equal(lines[1], `the same as ${classifier}: 3/3 = 100.00 %`);
});

const sentence = (...tagged) => `${tagged.map((pair) => pair.replace('/', '\t')).join('\n')}\n`;

test('entities: whole entities count, by type', async () => {
  const data = fileOf(
    [
      sentence('a/O', 'film/B-FILM', 'it/I-FILM', 'was/O', 'bad/B-MOOD'),
      sentence('movie/B-FILM', 'movie/I-FILM'), // found as two
      sentence('bad/O'),
      sentence('it/B-FILM'), // found as I-FILM, which begins nothing
    ].join('\n\n'),
    'data.iob',
  );
  assert.deepEqual(await figures(tagger, data), {
    precision: 2 / 5,
    recall: 2 / 4,
    f1: 4 / 9,
    entities: 4,
    found: 5,
    correct: 2,
    types: {
      FILM: { precision: 1 / 3, recall: 1 / 3, f1: 1 / 3, entities: 3, found: 3, correct: 1 },
      MOOD: { precision: 1 / 2, recall: 1, f1: 2 / 3, entities: 1, found: 2, correct: 1 },
    },
    truncated: 0,
  });
  assert.equal(
    await evaluate(tagger, data),
    'FILM: precision 33.33 %, recall 33.33 %, F1 33.33 %, 3 entities\n' +
      'MOOD: precision 50.00 %, recall 100.00 %, F1 66.67 %, 1 entities\n' +
      'all: precision 40.00 %, recall 50.00 %, F1 44.44 %, 4 entities\n',
  );
});

test('entities: types that the file does not have do not count', async () => {
  const data = fileOf(sentence('film/B-FILM', 'bad/O', 'bad/O'), 'data.iob');
  assert.equal(await evaluate(tagger, data), 'FILM: precision 100.00 %, recall 100.00 %, F1 100.00 %, 1 entities\n');
  const none = fileOf(sentence('a/O'), 'none.iob');
  assert.deepEqual((await figures(tagger, none)).types, {});
});

test("entities: a word's tag is that of its first token, O past the cut", async () => {
  // "films" is film and ##s, "as" a and ##s.
  const data = fileOf(sentence('films/B-FILM', 'as/O', 'it/O', 'film/B-FILM'), 'data.iob');
  const { correct, found, truncated } = await figures(tagger, data);
  assert.deepEqual([correct, found, truncated], [2, 2, 0]);
  const cut = await figures(tagger, data, '--max-length', '7');
  assert.deepEqual([cut.correct, cut.found, cut.recall, cut.truncated], [1, 1, 0.5, 1]);
});

test('entities: a word without tokens is O, and those after it keep their own tags', async () => {
  const data = fileOf(sentence('\u200b/O', 'film/B-FILM', '\u{1F3A5}/O', 'bad/B-MOOD'), 'data.iob');
  assert.equal((await figures(tagger, data)).f1, 1);
});

test('--against: of entities, for how many words', async () => {
  const data = fileOf(sentence('a/O', 'film/B-FILM', 'bad/B-MOOD'), 'data.iob');
  const other = writeFolder(makeTaggingModel({ labels, labelOf: { film: 'B-FILM' } }));
  assert.deepEqual((await figures(tagger, data, '--against', other)).agreement, { same: 2, total: 3 });
});

test('entities by tags, strictly', async () => {
  const { entitiesOf } = await importModule('cli/eval/iob.js');
  const found = (tags) => entitiesOf(tags.split(' ')).map(({ type, start, end }) => `${type} ${start} ${end}`);
  assert.deepEqual(found('B-A I-A I-B B-A B-A O I-A'), ['A 0 2', 'A 3 4', 'A 4 5']);
  assert.deepEqual(found('I-A O B-A I-A'), ['A 2 4']);
});

test('masked words: first, among the first five, by source', async () => {
  const rows = ['film', 'movie', 'a', 'zzz'].map((word) => `${word}\t${`${word} `.repeat(40)}\n`).join('');
  const { sources, ...all } = await figures(filler, fileOf(`source\ttext\n${rows}`));
  // Of "zzz" each word is three tokens.
  assert.deepEqual(Object.keys(sources), ['film', 'movie', 'a']);
  const of = (masks, top1, top5) => ({ masks, top1, top5, top1Share: top1 / masks, top5Share: top5 / masks });
  const [film, movie, a] = ['film', 'movie', 'a'].map((word) => sources[word].masks);
  assert.deepEqual(sources, { film: of(film, film, film), movie: of(movie, 0, movie), a: of(a, 0, 0) });
  assert.deepEqual(all, { ...of(film + movie + a, film, film + movie), truncated: 0 });
  assert.ok(all.masks > 9 && all.masks < 30, `${all.masks} of 120 words are masked`);
});

test('masked words: a line a text, a seed, a cut', async () => {
  const text = 'a film was good '.repeat(40);
  const data = fileOf(`${text}\n\n${text}\n`, 'texts.txt');
  const first = await evaluate(filler, data);
  assert.match(first, /^top-1 \d+\/\d+ = \d+\.\d\d %, top-5 \d+\/\d+ = \d+\.\d\d %\ntexts that were cut: 2\n$/);
  assert.equal(await evaluate(filler, data, '--seed', '1'), first);
  assert.notEqual(await evaluate(filler, data, '--seed', '2'), first);
  const { masks, truncated } = await figures(filler, data, '--max-length', '500');
  assert.equal(truncated, 0);
  assert.ok(masks > JSON.parse(await evaluate(filler, data, '--json')).masks);
});

test('the numbers of a seed are the same everywhere', async () => {
  const { randomNumbers } = await importModule('random.js');
  const next = randomNumbers(1);
  assert.deepEqual([next(), next(), next()], [2693262067, 11749833, 2265367787].map((number) => number / 2 ** 32));
});

test('what is wrong with a file is told with its line', async () => {
  for (const [model, text, error, name = 'data.tsv'] of [
    [classifier, 'text\na\n', /E_INVALID_ARGUMENT: .* no column label/],
    [classifier, 'label\ttext\n', /no rows/],
    [classifier, '', /is empty: its first line must name the columns, with tabs between, label and text among them/],
    [classifier, 'a,b\n', /no column label and no column text: .* with tabs between/],
    [classifier, 'label\ttext\nPOSITIVE\n', /Line 2 of .* has 1 columns, the first line 2/],
    [classifier, 'label\ttext\nPOSITIVE\ta\nPOSITIVE\ta\tb\n', /Line 3 of .* has 3 columns/],
    [classifier, 'label\ttext\nNEUTRAL\ta\n', /Line 2 of .* has the label "NEUTRAL"; the model has NEGATIVE, POSITIVE/],
    [classifier, 'label\ttext\n2\ta\n', /Line 2 of .* has the label "2"/],
    [tagger, 'film\tB-FILM\n\nbad\n', /Line 3 of .* has the tag ""/, 'data.iob'],
    [tagger, 'film\tFILM\n', /Line 1 of .* has the tag "FILM", which is not O, B-TYPE or I-TYPE/, 'data.iob'],
    [tagger, 'film\tNN\tB-FILM\n', /Line 1 of .* is not a word, a tab and a tag/, 'data.iob'],
    [tagger, '\tO\n', /Line 1 of .* is not a word/, 'data.iob'],
    [tagger, 'a\tO\nfilm\tI-FILM\n', /Line 2 of .* has the tag I-FILM after no FILM/, 'data.iob'],
    [tagger, 'a\tO\n\nfilm\tB-FILM\nParis\tB-LOC\n', /Line 4 of .* has the tag B-LOC; the model has O, B-FILM/, 'data.iob'],
    [tagger, '\n\n', /no sentences/, 'data.iob'],
    [tagger, 'label\ttext\nPOSITIVE\ta\n', /Line 1 of .* has the tag "text"/],
    [filler, '\n', /too few words/, 'texts.txt'],
    [filler, 'zzz zzz\n', /too few words/, 'texts.txt'],
    [filler, 'label\nPOSITIVE\n', /no column text/],
    [filler, 'a film\na [MASK] film\n', /Line 2 of .* has \[MASK\] already/, 'texts.txt'],
  ]) {
    await fail(['eval', '-m', model, '--data', fileOf(text, name)], 1, error);
  }
  await fail(['eval', '-m', classifier, '--data', '/no/such/file'], 1, /E_NOT_FOUND: .*\/no\/such\/file/);
});

test('models that cannot be evaluated, options that are none', async () => {
  const bare = makeTinyModel();
  const config = JSON.parse(new TextDecoder().decode(bare['config.json']));
  const encoder = writeFolder({ ...bare, 'config.json': new TextEncoder().encode(JSON.stringify({ ...config, architectures: ['BertModel'] })) });
  const data = fileOf('label\ttext\nPOSITIVE\ta\n');
  await fail(['eval', '-m', encoder, '--data', data], 1, /E_TASK_MISMATCH: .*classify, entities, fillMask; the model is BertModel/);
  const unprefixed = writeFolder(makeTaggingModel({ labels: ['O', 'FILM'], labelOf: {} }));
  await fail(['eval', '-m', unprefixed, '--data', data], 1, /E_INVALID_ARGUMENT: .*"FILM" is not O, B-TYPE or I-TYPE/);
  const other = writeFolder(makeTaggingModel({ labels, labelOf: {} }));
  await fail(['eval', '-m', classifier, '--data', data, '--against', other], 1, /E_INVALID_ARGUMENT/);
  await fail(['eval', '-m', classifier], 2, /--data FILE is missing/);
  await fail(['eval', '-m', classifier, '--data', data, '--max-length', '0'], 2, /--max-length/);
  await fail(['eval', '-m', classifier, '--data', data, '--seed', 'x'], 2, /--seed/);
});
