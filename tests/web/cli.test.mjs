// The command line, as a program.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { library, root } from '../support/built.mjs';
import { fail, headlight, jsonLines, succeed } from '../support/command.mjs';
import { committedGolden } from '../support/golden.mjs';
import { serveFiles } from '../support/model-server.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

const model = writeFolder(makeTinyModel());

test('help', async () => {
  for (const command of ['classify', 'entities', 'fill-mask', 'answer', 'embed', 'attention', 'tokenize', 'info', 'eval', 'faithfulness', 'pack', 'site']) {
    assert.match(await succeed(['--help']), new RegExp(`^  ${command} `, 'm'));
    assert.match(await succeed([command, '--help']), new RegExp(`^Usage: headlight ${command} `));
  }
});

test('--version prints that of the package', async () => {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  assert.equal(await succeed(['--version']), `${version}\n`);
  assert.match(await succeed(['--help']), /headlight --version/);
});

test('wrong use ends with 2 and says how', async () => {
  await fail([], 2, /no command[^]*Usage: headlight COMMAND/);
  await fail(['sing'], 2, /no command sing/);
  await fail(['classify', 'text'], 2, /--model DIR is missing[^]*Usage: headlight classify/);
  await fail(['classify', '--model', model, '--loud', 'text'], 2, /--loud/);
  await fail(['classify', '--model', model, '--top', 'many', 'text'], 2, /--top must be a whole number/);
  await fail(['attention', '--model', model, '--query', 'sep', 'text'], 2, /--query/);
  await fail(['attention', '--model', model, '--scale', 'big', 'text'], 2, /--scale/);
  await fail(['eval', '--model', model], 2, /--data/);
  await fail(['pack'], 2, /one folder/);
  await fail(['pack', model], 2, /-o FOLDER/);
});

test('a failure ends with 1, its code and advice', async () => {
  await fail(['classify', '--model', '/no/such/folder', 'text'], 1, /E_NOT_FOUND: [^]*\nCheck the path/);
  await fail(['classify', '--model', model, '--file', '/no/such/file'], 1, /E_NOT_FOUND: .*\/no\/such\/file/);
  await fail(['attention', '--model', model, '--layer', '9', 'text'], 1, /E_INVALID_ARGUMENT: .*9/);
});

test('classify: arguments, a file, standard input', async () => {
  const line = /^(POSITIVE|NEGATIVE)\t[01]\.\d{4}\ta good film$/;
  assert.match((await succeed(['classify', '-m', model, 'a good film'])).trim(), line);
  const file = path.join(temporaryFolder(), 'texts.txt');
  fs.writeFileSync(file, 'a good film\r\n\r\nit was bad\r\n');
  const fromFile = await succeed(['classify', '-m', model, '--file', file]);
  assert.equal(fromFile.split('\n').length, 4);
  assert.match(fromFile, /\ta good film\n.*\t\n.*\tit was bad\n$/);
  assert.equal(await succeed(['classify', '-m', model], { input: fs.readFileSync(file) }), fromFile);
});

test('classify --json is one object a line', async () => {
  const lines = jsonLines(await succeed(['classify', '-m', model, '--json', 'a good film', 'it was bad']));
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['a good film', 'it was bad'],
  );
  const loaded = await library.load(model);
  for (const { text, labels, truncated } of lines) {
    assert.deepEqual(labels, [...(await loaded.classify(text))]);
    assert.deepEqual(truncated, []);
  }
  const [pair] = jsonLines(
    await succeed(['classify', '-m', model, '--json', '--pair', 'it was bad', '--top', '1', 'a film']),
  );
  assert.deepEqual(pair.labels, [...(await loaded.classify({ text: 'a film', textPair: 'it was bad' }, { topK: 1 }))]);
});

test('entities', async () => {
  const folder = path.join(committedGolden, 'bertrelkeyquery-tokcls');
  const text = 'Angela Merkel met Tim Cook in Berlin';
  const loaded = await library.load(folder);
  const found = await loaded.entities(text, { aggregation: 'word' });
  const lines = (await succeed(['entities', '-m', folder, text])).split('\n');
  assert.deepEqual(lines.slice(-2), ['', '']);
  assert.deepEqual(
    lines.slice(0, -2).map((line) => line.split('\t')),
    found.map(({ entity, score, start, end, word }) => [entity, score.toFixed(4), String(start), String(end), word]),
  );
  const [json] = jsonLines(await succeed(['entities', '-m', folder, '--json', '--aggregation', 'none', text]));
  assert.deepEqual(json, { text, entities: await loaded.entities(text) });
  await fail(['entities', '-m', folder, '--aggregation', 'some', text], 2, /--aggregation/);
  await fail(['entities', '-m', model, text], 1, /E_TASK_MISMATCH/);
});

test('fill-mask', async () => {
  const folder = path.join(committedGolden, 'bert-mlm');
  const out = await succeed(['fill-mask', '-m', folder, '--top', '2', 'a [MASK] b'], {});
  assert.match(out, /^[^\t\n]+\t0\.\d{4}\t[^\n]+\n[^\t\n]+\t0\.\d{4}\t[^\n]+\n\n$/);
  const [{ filled }] = jsonLines(
    await succeed(['fill-mask', '-m', folder, '--json', '--target', 'the', '--target', 'and'], { input: 'a [MASK] b\n' }),
  );
  assert.deepEqual(filled.map(({ tokenText }) => tokenText).sort(), ['and', 'the']);
  await fail(['fill-mask', '-m', folder, 'a b'], 1, /E_INVALID_ARGUMENT: .*\[MASK\]/);
});

test('answer', async () => {
  const folder = path.join(committedGolden, 'roberta-qa');
  const context = 'Marie Curie moved from Warsaw to Paris in 1891';
  const file = path.join(temporaryFolder(), 'context.txt');
  fs.writeFileSync(file, context);
  const out = await succeed(['answer', '-m', folder, '--context', context, '--top', '2', 'Where?']);
  assert.match(out, /^[^\t]+\t0\.\d{4}\t\d+\t\d+\n[^\t]+\t0\.\d{4}\t\d+\t\d+\n\n$/);
  assert.equal(await succeed(['answer', '-m', folder, '--context-file', file, '--top', '2', 'Where?']), out);
  const [{ question, answers }] = jsonLines(
    await succeed(['answer', '-m', folder, '--context', '', '--no-answer', '--json', 'Where?']),
  );
  assert.equal(question, 'Where?');
  assert.deepEqual(answers.map(({ answer }) => answer), ['']);
  await fail(['answer', '-m', folder, 'Where?'], 2, /--context/);
});

test('embed', async () => {
  const loaded = await library.load(model);
  const { data } = await loaded.embed('a film', { pooling: 'cls', layer: -2, normalize: true });
  const out = await succeed(['embed', '-m', model, '--pooling', 'cls', '--layer', '-2', '--normalize', 'a film', 'a']);
  const [first, second] = out.split('\n').map((line) => line.split('\t').map(Number));
  assert.deepEqual(first, [...data]);
  assert.equal(second.length, first.length);
  const [json] = jsonLines(await succeed(['embed', '-m', model, '--json', 'a film']));
  assert.deepEqual(json.embedding, [...(await loaded.embed('a film')).data]);
  await fail(['embed', '-m', model, '--pooling', 'sum', 'a'], 2, /--pooling/);
});

test('tokenize', async () => {
  assert.equal(
    await succeed(['tokenize', '-m', model, 'films']),
    '2\t[CLS]\t0\t0\n13\tfilm\t0\t4\n18\t##s\t4\t5\n3\t[SEP]\t0\t0\n\n',
  );
  const [encoding] = jsonLines(await succeed(['tokenize', '-m', model, '--json', '--no-special', 'films']));
  assert.deepEqual(encoding.tokens, ['film', '##s']);
  const [cut] = jsonLines(await succeed(['tokenize', '-m', model, '--json', '--max-length', '3', 'a good film']));
  assert.deepEqual(cut.tokens, ['[CLS]', 'a', '[SEP]']);
});

test('attention', async () => {
  assert.match(
    await succeed(['attention', '-m', model, 'a films']),
    /^a\t0\.\d{4}\nfilm\t0\.\d{4}\n##s\t0\.\d{4}\n\n$/,
  );
  assert.match(await succeed(['attention', '-m', model, '--words', 'a films']), /^a\t[^\t\n]+\nfilms\t[^\t\n]+\n\n$/);
  const last = await succeed(['attention', '-m', model, '--layer', '-1', 'a films']);
  assert.equal(last, await succeed(['attention', '-m', model, '--layer=-1', 'a films']));
  const heads = await succeed(['attention', '-m', model, '--all-heads', '--scale', 'minmax-heads', 'a films']);
  assert.deepEqual(
    heads
      .trim()
      .split('\n')
      .map((row) => row.split('\t').length),
    [5, 5, 5],
  );
  const [json] = jsonLines(
    await succeed(['attention', '-m', model, '--json', '--layer', '0', '--head', '1', 'a films']),
  );
  assert.deepEqual(json.weights.axes, ['key']);
  assert.equal(json.weights.data.length, 3);
});

test('info', async () => {
  assert.match(await succeed(['info', '-m', model]), /^family +bert$/m);
  assert.equal(JSON.parse(await succeed(['info', '-m', model, '--json'])).numHiddenLayers, 2);
});

test('pack: a folder that loads, classifies alike, and whose sums are right', async () => {
  for (const shards of [1, 3]) {
    const folder = writeFolder(makeTinyModel({ shards }));
    const output = path.join(temporaryFolder(), 'packed', 'model');
    assert.match(await succeed(['pack', folder, '-o', output]), /MB/);
    const names = fs.readdirSync(output).sort();
    const weights = names.filter((name) => name.endsWith('.int8.safetensors'));
    assert.equal(weights.length, shards);
    const others = ['config.json', 'headlight.json', 'tokenizer_config.json', 'vocab.txt'];
    const index = 'model.safetensors.index.int8.json';
    assert.deepEqual(
      names.filter((name) => !weights.includes(name)),
      [...others, ...(shards > 1 ? [index] : [])].sort(),
    );

    const manifest = JSON.parse(fs.readFileSync(path.join(output, 'headlight.json')));
    assert.equal(manifest.format, 1);
    assert.deepEqual(
      Object.keys(manifest.files).sort(),
      names.filter((name) => name !== 'headlight.json'),
    );
    for (const [name, { bytes, sha256 }] of Object.entries(manifest.files)) {
      const content = fs.readFileSync(path.join(output, name));
      assert.equal(content.length, bytes);
      assert.equal(createHash('sha256').update(content).digest('hex'), sha256);
    }
    const [own, packed] = await Promise.all([folder, output].map((at) => library.load(at)));
    const text = 'the movie was absolutely fantastic !';
    const [a, b] = await Promise.all([own, packed].map((one) => one.forward(text)));
    const distance = Math.max(...a.logits.data.map((logit, at) => Math.abs(logit - b.logits.data[at])));
    assert.ok(distance > 0 && distance < 0.3, `logits differ by ${distance}`);
    assert.match(await succeed(['eval', '-m', output, '--data', await labelled(folder)]), /= \d+\.\d\d %/);
  }
});

test('info --verify compares a pack with its manifest', async () => {
  const output = path.join(temporaryFolder(), 'packed');
  await succeed(['pack', model, '-o', output]);
  assert.match(await succeed(['info', '-m', output, '--verify']), /^verifiedFiles +4$/m);
  const weights = path.join(output, 'model.int8.safetensors');
  const bytes = fs.readFileSync(weights);
  bytes[bytes.length - 1] ^= 1;
  fs.writeFileSync(weights, bytes);
  await fail(['info', '-m', output, '--verify'], 1, /E_MODEL_CORRUPT: .*model\.int8\.safetensors/);
  fs.writeFileSync(weights, bytes.subarray(1));
  await fail(['info', '-m', output, '--verify'], 1, /E_MODEL_TRUNCATED: .*model\.int8\.safetensors/);
  fs.rmSync(weights);
  await fail(['info', '-m', output, '--verify'], 1, /E_NOT_FOUND: .*model\.int8\.safetensors/);
  await fail(['info', '-m', model, '--verify'], 1, /E_INVALID_ARGUMENT: .*is no pack/);
});

/** Some texts with the labels that the model gives them. */
async function labelled(folder) {
  const texts = ['a good film', 'it was bad', 'the movie was fantastic'];
  const lines = jsonLines(await succeed(['classify', '-m', folder, '--json', '--top', '1', ...texts]));
  const data = path.join(temporaryFolder(), 'data.tsv');
  fs.writeFileSync(
    data,
    ['label\ttext', ...lines.map(({ text, labels }) => `${labels[0].label}\t${text}`), ''].join('\n'),
  );
  return data;
}

test('pack --max-part: parts that load joins, from a folder, a URL and files, and that info --verify compares', async () => {
  const folder = writeFolder(makeTinyModel({ hidden: 256, layers: 4 }));
  const [whole, output] = ['whole', 'parts'].map((name) => path.join(temporaryFolder(), name));
  await succeed(['pack', folder, '-o', whole]);
  await succeed(['pack', folder, '-o', output, '--max-part', '1MB']);
  const manifest = JSON.parse(fs.readFileSync(path.join(output, 'headlight.json')));
  const { parts, ...sums } = manifest.files['model.int8.safetensors'];
  assert.deepEqual(sums, JSON.parse(fs.readFileSync(path.join(whole, 'headlight.json'))).files['model.int8.safetensors']);
  assert.deepEqual(
    parts.map(({ file, bytes }) => [file, bytes]),
    parts.map(({ bytes }, index) => [`model.int8.safetensors.part-0000${index + 1}-of-0000${parts.length}`, bytes]),
  );
  assert.ok(parts.length > 2 && parts.every(({ bytes }) => bytes <= 1e6));
  const names = fs.readdirSync(output);
  assert.ok(!names.includes('model.int8.safetensors'));
  for (const { file } of parts) assert.ok(names.includes(file));

  const files = Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(output, name))]));
  const list = Object.entries(files).map(([name, bytes]) => new File([bytes], name));
  const server = await serveFiles(files);
  const expected = await (await library.load(whole)).classify('the movie was good');
  const directory = temporaryFolder();
  const totals = [];
  const onProgress = ({ loaded, total }) => totals.push([loaded, total]);
  for (const [location, options] of [[output], [list], [server.url, { onProgress }], [server.url, { cache: { directory } }]]) {
    const model = await library.load(location, options);
    assert.deepEqual([...(await model.classify('the movie was good'))], [...expected]);
    assert.equal(model.info.weightsSha256, sums.sha256);
    model.dispose();
  }
  const size = Object.values(files).reduce((sum, { length }) => sum + length, 0);
  assert.deepEqual(totals.at(-1), [size, size]);
  assert.deepEqual([...new Set(server.requests)].sort(), [...names].sort());
  await server.close();
  (await library.load(server.url, { cache: { directory } })).dispose();

  assert.match(await succeed(['info', '-m', output, '--verify']), /verifiedFiles/);
  const damaged = path.join(output, parts[1].file);
  const bytes = fs.readFileSync(damaged);
  bytes[5000] ^= 1;
  fs.writeFileSync(damaged, bytes);
  await fail(['info', '-m', output, '--verify'], 1, /E_MODEL_CORRUPT: .*part-00002-of/);
  await assert.rejects(library.load(output), { code: 'E_MODEL_CORRUPT', file: damaged });
  fs.truncateSync(damaged, 5000);
  await assert.rejects(library.load(output), { code: 'E_MODEL_TRUNCATED', file: damaged });
  fs.rmSync(damaged);
  await assert.rejects(library.load(output), { code: 'E_NOT_FOUND', file: damaged });
  await fail(['info', '-m', output, '--verify'], 1, /E_NOT_FOUND: .*part-00002-of/);
});

test('sizes and lists of parts that are none', async () => {
  const output = path.join(temporaryFolder(), 'packed');
  for (const size of ['20', 'MB', '-1MB', '1KB', '0MB', '20 MO']) {
    await fail(['pack', model, '-o', output, `--max-part=${size}`], 2, /--max-part must be a size/);
  }
  await succeed(['pack', model, '-o', output, '--max-part', '1.5MiB']);
  const manifest = JSON.parse(fs.readFileSync(path.join(output, 'headlight.json')));
  const weights = manifest.files['model.int8.safetensors'];
  const part = { file: 'a', bytes: weights.bytes, sha256: weights.sha256 };
  for (const parts of [5, [5], [{ ...part, file: '../a' }], [{ ...part, bytes: 1 }], [{ ...part, sha256: 'x' }], [part, part]]) {
    const listed = { ...manifest, files: { ...manifest.files, 'model.int8.safetensors': { ...weights, parts } } };
    fs.writeFileSync(path.join(output, 'headlight.json'), JSON.stringify(listed));
    await assert.rejects(library.load(output), { code: 'E_MODEL_CORRUPT', file: 'headlight.json' });
  }
});

test('pack leaves out vocab.txt where tokenizer.json is there', async () => {
  const golden = new URL('../data/golden/bert-multilabel/', import.meta.url);
  const output = path.join(temporaryFolder(), 'packed');
  await succeed(['pack', golden.pathname, '-o', output]);
  assert.ok(fs.existsSync(path.join(output, 'tokenizer.json')));
  assert.ok(!fs.existsSync(path.join(output, 'vocab.txt')));
});

test('pack refuses what it should, and leaves nothing behind', async () => {
  const place = temporaryFolder();
  const output = path.join(place, 'packed');
  await succeed(['pack', model, '-o', output]);
  await fail(['pack', output, '-o', path.join(place, 'again')], 1, /E_INVALID_ARGUMENT: .*is a pack already/);
  await fail(['pack', model, '-o', output], 1, /E_INVALID_ARGUMENT: .*--force/);
  const before = fs.statSync(output).ino;
  await succeed(['pack', model, '-o', output, '--force']);
  assert.notEqual(fs.statSync(output).ino, before);
  await fail(['pack', model, '-o', model, '--force'], 1, /holds the folder/);
  await fail(['pack', path.join(place, 'none'), '-o', path.join(place, 'again')], 1, /E_NOT_FOUND/);
  const { 'model.safetensors': weights, ...rest } = makeTinyModel();
  await fail(['pack', writeFolder(rest), '-o', path.join(place, 'again')], 1, /E_NOT_FOUND: .*model\.safetensors/);
  const { 'config.json': _config, ...bare } = makeTinyModel();
  await fail(['pack', writeFolder(bare), '-o', path.join(place, 'again')], 1, /E_NOT_FOUND: .*config\.json/);
  const cut = writeFolder({ ...rest, 'model.safetensors': weights.slice(0, weights.length / 2) });
  await fail(['pack', cut, '-o', path.join(place, 'again')], 1, /E_MODEL_TRUNCATED/);
  assert.deepEqual(fs.readdirSync(place), ['packed']);
  const mine = temporaryFolder();
  fs.writeFileSync(path.join(mine, 'notes.txt'), 'mine');
  await fail(['pack', model, '-o', mine, '--force'], 1, /is no pack; --force replaces packs alone/);
  await fail(['pack', model, '-o', '', '--force'], 2, /-o FOLDER is missing/);
  await fail(['pack', model, '-o', path.join(mine, 'notes.txt', 'below')], 1, /below cannot be written/);
  await fail(['pack', model, '-o', '.', '--force'], 1, /holds the current folder/);
  assert.deepEqual(fs.readdirSync(mine), ['notes.txt']);
  if (process.platform === 'linux') await fail(['pack', model, '-o', '/proc/none'], 1, /\/proc\/none cannot be written/);
});

test('pack leaves nothing behind when it is interrupted', async () => {
  const large = writeFolder(makeTinyModel({ hidden: 512, layers: 8, positions: 512 }));
  const place = temporaryFolder();
  const interrupted = headlight(['pack', large, '-o', path.join(place, 'packed')], {
    during: (child) => {
      const watcher = fs.watch(place, () => {
        watcher.close();
        child.kill('SIGINT');
      });
    },
  });
  assert.equal((await interrupted).code, 130);
  assert.deepEqual(fs.readdirSync(place), []);
});

test('faithfulness: a table of methods, or JSON, and the texts that are read', async () => {
  const file = path.join(temporaryFolder(), 'texts.tsv');
  fs.writeFileSync(file, ['label\ttext', 'POSITIVE\ta good film', 'NEGATIVE\tit was bad', 'NEGATIVE\ta bad film'].join('\n'));
  const run = ['faithfulness', '-m', model, '--data', file, '--methods', 'attention, occlusion'];
  const table = await succeed(run);
  assert.match(table, /^\| method \| comprehensiveness \| sufficiency \| area \|\n\|---\|---:\|---:\|---:\|\n/);
  assert.deepEqual(
    [...table.matchAll(/^\| (\S+) \| -?\d\.\d{3} \| -?\d\.\d{3} \| -?\d\.\d{3} \|$/gm)].map(([, name]) => name).sort(),
    ['attention', 'chance', 'occlusion'],
  );
  const { texts, methods } = JSON.parse(await succeed([...run, '--json', '--limit', '2']));
  assert.equal(texts, 2);
  assert.deepEqual(Object.keys(methods.chance), ['comprehensiveness', 'sufficiency', 'area']);
  await fail(['faithfulness', '-m', model], 2, /--data FILE is missing/);
  await fail([...run, '--methods', 'guess'], 2, /--methods has "guess", which is no method; there are attention, /);
  await fail([...run, '--limit', '0'], 2, /--limit must be a whole number from 1 on/);
});
