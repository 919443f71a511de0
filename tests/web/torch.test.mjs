// Folders with pytorch_model.bin, which torch made (tests/data/torch), and those of sentence-transformers.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { dist, library } from '../support/built.mjs';
import { serveFiles } from '../support/model-server.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

const data = new URL('../data/torch/', import.meta.url);
const read = (name) => fs.readFileSync(new URL(name, data));
const json = (value) => Buffer.from(JSON.stringify(value));
const headlight = (...args) => execFileSync(process.execPath, [path.join(dist, 'cli.js'), ...args], { stdio: 'pipe' }).toString();

/** The small files of the models in tests/data/torch. */
function smallFiles(hidden = 4, intermediate = 3) {
  const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...'abcdefghijklmnopqrstuvwxyz'];
  while (vocabulary.length < 67) vocabulary.push(`[unused${vocabulary.length}]`);
  return {
    'config.json': json({
      architectures: ['BertForMaskedLM'],
      model_type: 'bert',
      hidden_size: hidden,
      intermediate_size: intermediate,
      num_attention_heads: 2,
      num_hidden_layers: 1,
      max_position_embeddings: 8,
      vocab_size: 67,
    }),
    'tokenizer_config.json': json({ tokenizer_class: 'BertTokenizer', do_lower_case: true }),
    'vocab.txt': Buffer.from(`${vocabulary.join('\n')}\n`),
  };
}

async function logits(location) {
  const model = await library.load(location);
  const result = await model.forward('a b c');
  model.dispose();
  return [...result.logits.data];
}

const zip = { ...smallFiles(), 'pytorch_model.bin': read('zip.bin') };
const reference = await logits(writeFolder({ ...smallFiles(), 'model.safetensors': read('reference.safetensors') }));

test('both forms of pytorch_model.bin from a URL, a directory, files', async () => {
  for (const form of ['zip.bin', 'stream.bin']) {
    const files = { ...smallFiles(), 'pytorch_model.bin': read(form) };
    const list = Object.entries(files).map(([name, bytes]) => new File([bytes], name));
    const servers = await Promise.all([serveFiles(files), serveFiles(files, { gzip: true })]);
    for (const location of [...servers.map(({ url }) => url), writeFolder(files), list]) {
      assert.deepEqual(await logits(location), reference);
    }
    for (const server of servers) await server.close();
  }
});

test('shards of pytorch_model.bin from a URL', async () => {
  const names = ['pytorch_model.bin.index.json', 'pytorch_model-00001-of-00002.bin', 'pytorch_model-00002-of-00002.bin'];
  const server = await serveFiles({ ...smallFiles(), ...Object.fromEntries(names.map((name) => [name, read(name)])) });
  assert.deepEqual(await logits(server.url), reference);
  await server.close();
});

test('progress of a file whose size nobody tells ends with its size', async () => {
  const server = await serveFiles(zip, { gzip: true });
  let last;
  (await library.load(server.url, { onProgress: (progress) => (last = progress) })).dispose();
  assert.equal(last.phase, 'ready');
  assert.equal(last.loaded, last.total);
  await server.close();
});

test('a folder without weights says which were looked for', async () => {
  const server = await serveFiles(smallFiles());
  await assert.rejects(library.load(server.url), { code: 'E_NOT_FOUND', message: /pytorch_model\.bin/ });
  await server.close();
});

test('a pickle that is no checkpoint is refused with the way to convert it', async () => {
  const files = { ...zip, 'pytorch_model.bin': Buffer.from('\x80\x02cos\nsystem\nX\x02\0\0\0id\x85R.', 'latin1') };
  await assert.rejects(library.load(writeFolder(files)), {
    code: 'E_UNSUPPORTED_WEIGHTS',
    message: /os\.system/,
    advice: /save_file/,
    offset: 2,
  });
});

test('headlight info and headlight pack of a .bin folder', async () => {
  const info = JSON.parse(headlight('info', '--json', '-m', writeFolder(zip)));
  assert.equal(info.storedDtype, 'F32');
  assert.deepEqual(info.ignored.sort(), ['bert.embeddings.position_ids', 'cls.predictions.decoder.weight']);

  const wide = writeFolder({ ...smallFiles(32, 32), 'pytorch_model.bin': read('wide.bin') });
  const output = path.join(temporaryFolder(), 'packed');
  headlight('pack', wide, '-o', output);
  assert.ok(fs.existsSync(path.join(output, 'model.int8.safetensors')));
  const quantised = await library.load(wide, { precision: 'int8' });
  assert.deepEqual(await logits(output), [...(await quantised.forward('a b c')).logits.data]);
  quantised.dispose();
});

test('headlight pack of .bin shards names the packed ones as save_pretrained would', () => {
  const folder = writeFolder({
    ...smallFiles(),
    ...Object.fromEntries(
      fs.readdirSync(data).flatMap((name) => (name.startsWith('pytorch_model') ? [[name, read(name)]] : [])),
    ),
  });
  const output = path.join(temporaryFolder(), 'packed');
  headlight('pack', folder, '-o', output);
  assert.deepEqual(
    fs.readdirSync(output).filter((name) => name.includes('int8')).sort(),
    ['model-00001-of-00002.int8.safetensors', 'model-00002-of-00002.int8.safetensors', 'model.safetensors.index.int8.json'],
  );
});

const sentenceFiles = {
  'modules.json': json([
    { idx: 0, path: '', type: 'sentence_transformers.models.Transformer' },
    { idx: 1, path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
    { idx: 2, path: '2_Dense', type: 'sentence_transformers.models.Dense' },
  ]),
  '1_Pooling/config.json': json({ pooling_mode_mean_tokens: true }),
  'sentence_bert_config.json': json({ max_seq_length: 128 }),
  'config_sentence_transformers.json': json({ prompts: { query: 'query: ' }, default_prompt_name: 'query' }),
};
const sentence = {
  pooling: ['mean'],
  normalize: false,
  includePrompt: true,
  maxSeqLength: 128,
  prompts: { query: 'query: ' },
  defaultPromptName: 'query',
  unsupported: ['2_Dense (sentence_transformers.models.Dense)'],
};

/** A chosen folder's file, as <input webkitdirectory> gives it. */
function chosen(name, bytes) {
  const file = new File([bytes], path.basename(name));
  Object.defineProperty(file, 'webkitRelativePath', { value: `model/${name}` });
  return file;
}

/** A directory handle over files by their paths. */
function handleOf(files) {
  const below = (prefix) =>
    Object.fromEntries(
      Object.entries(files).flatMap(([name, bytes]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), bytes]] : [])),
    );
  const missing = () => new DOMException('none', 'NotFoundError');
  return {
    async *entries() {
      for (const name of Object.keys(files)) if (!name.includes('/')) yield [name, { kind: 'file' }];
    },
    async getFileHandle(name) {
      if (!files[name]) throw missing();
      return { getFile: async () => new File([files[name]], name) };
    },
    async getDirectoryHandle(name) {
      const inside = below(`${name}/`);
      if (Object.keys(inside).length === 0) throw missing();
      return handleOf(inside);
    },
  };
}

test('a sentence-transformers folder, from each kind of source', async () => {
  const files = { ...makeTinyModel(), ...sentenceFiles };
  const { '1_Pooling/config.json': pooling, ...flat } = files;
  const folder = writeFolder(flat);
  fs.mkdirSync(path.join(folder, '1_Pooling'));
  fs.writeFileSync(path.join(folder, '1_Pooling/config.json'), pooling);
  const server = await serveFiles(files);
  const list = Object.entries(files).map(([name, bytes]) => chosen(name, bytes));
  for (const location of [server.url, folder, list, list.toReversed?.() ?? [...list].reverse(), handleOf(files)]) {
    const { info, dispose: _ } = await library.load(location);
    assert.deepEqual(info.sentence, sentence);
    assert.equal(info.maxLength, 128);
    // Such a folder is the encoder alone.
    assert.deepEqual(info.ignored, [...sentence.unsupported, 'classifier.weight', 'classifier.bias']);
  }
  await server.close();
  assert.match(headlight('info', '-m', folder), /^sentence +\{.*"pooling":\["mean"\]/m);

  const output = path.join(temporaryFolder(), 'packed');
  headlight('pack', folder, '-o', output);
  assert.deepEqual((await library.load(output)).info.sentence, sentence);
});

test('a folder without modules.json is asked for no more of sentence-transformers', async () => {
  const server = await serveFiles(makeTinyModel());
  assert.equal((await library.load(server.url)).info.sentence, null);
  assert.ok(!server.requests.some((name) => /Pooling|sentence_|sentence-/.test(name)));
  await server.close();
  assert.doesNotMatch(headlight('info', '-m', writeFolder(makeTinyModel())), /sentence/);
});
