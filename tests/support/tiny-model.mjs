// Small BERT classifiers with random weights: the same for the same options.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { encodeSafetensors } from './safetensors.mjs';

const words = [
  'the',
  'movie',
  'was',
  'fantastic',
  'absolutely',
  'bad',
  'good',
  'a',
  'film',
  'it',
  '!',
  '.',
  ',',
  '##s',
  '##ly',
];

/** The files of a folder by name. `shards`: over how many files the weights are spread. */
export function makeTinyModel({
  layers = 2,
  hidden = 32,
  heads = 4,
  positions = 512,
  labels = ['NEGATIVE', 'POSITIVE'],
  seed = 1,
  shards = 1,
} = {}) {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter) => [letter, `##${letter}`]);
  const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...new Set([...words, ...letters])];
  const config = {
    architectures: ['BertForSequenceClassification'],
    model_type: 'bert',
    hidden_act: 'gelu',
    hidden_size: hidden,
    intermediate_size: 2 * hidden,
    max_position_embeddings: positions,
    num_attention_heads: heads,
    num_hidden_layers: layers,
    type_vocab_size: 2,
    vocab_size: vocabulary.length,
    layer_norm_eps: 1e-12,
    pad_token_id: 0,
    id2label: Object.fromEntries(labels.entries()),
    label2id: Object.fromEntries(labels.map((label, index) => [label, index])),
  };
  const entries = Object.entries(randomWeights(config, labels.length, seed));
  const files = {
    'config.json': encode(JSON.stringify(config)),
    'tokenizer_config.json': encode(
      JSON.stringify({ tokenizer_class: 'BertTokenizer', do_lower_case: true, model_max_length: positions }),
    ),
    'vocab.txt': encode(`${vocabulary.join('\n')}\n`),
  };
  if (shards === 1) return { ...files, 'model.safetensors': encodeSafetensors(Object.fromEntries(entries)) };

  const map = {};
  const length = Math.ceil(entries.length / shards);
  for (let shard = 0; shard < shards; shard++) {
    const name = `model-${number(shard + 1)}-of-${number(shards)}.safetensors`;
    const part = entries.slice(shard * length, (shard + 1) * length);
    for (const [tensor] of part) map[tensor] = name;
    files[name] = encodeSafetensors(Object.fromEntries(part));
  }
  const total = entries.reduce((sum, [, { data }]) => sum + data.byteLength, 0);
  files['model.safetensors.index.json'] = encode(JSON.stringify({ metadata: { total_size: total }, weight_map: map }));
  return files;
}

/** headlight.json of a folder with these files. */
export function manifestOf(files) {
  const sums = Object.entries(files).map(([name, bytes]) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return [name, { bytes: bytes.length, sha256 }];
  });
  return encode(JSON.stringify({ format: 1, files: Object.fromEntries(sums) }));
}

/** The files in a folder of their own, which goes when the process ends. */
export function writeFolder(files) {
  const folder = temporaryFolder();
  for (const [name, bytes] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), bytes);
  return folder;
}

export function temporaryFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'headlight-'));
  folders.push(folder);
  return folder;
}

const folders = [];
process.on('exit', () => folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

/** A text of n tokens, special ones included. */
export const textOf = (n) => Array.from({ length: n - 2 }, (_, index) => words[index % 10]).join(' ');

const encode = (text) => new TextEncoder().encode(text);
const number = (n) => String(n).padStart(5, '0');

function randomWeights(config, labels, seed) {
  const random = normal(seed);
  const { hidden_size: hidden, intermediate_size: intermediate } = config;
  const tensors = {};
  const tensor = (name, ...shape) => {
    const size = shape.reduce((product, n) => product * n, 1);
    tensors[name] = { shape, data: Float32Array.from({ length: size }, () => 0.2 * random()) };
  };
  const linear = (name, out, into) => (tensor(`${name}.weight`, out, into), tensor(`${name}.bias`, out));
  const norm = (name) => {
    tensors[`${name}.weight`] = { shape: [hidden], data: new Float32Array(hidden).fill(1) };
    tensor(`${name}.bias`, hidden);
  };
  tensor('bert.embeddings.word_embeddings.weight', config.vocab_size, hidden);
  tensor('bert.embeddings.position_embeddings.weight', config.max_position_embeddings, hidden);
  tensor('bert.embeddings.token_type_embeddings.weight', 2, hidden);
  norm('bert.embeddings.LayerNorm');
  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    const name = `bert.encoder.layer.${layer}`;
    for (const part of ['query', 'key', 'value']) linear(`${name}.attention.self.${part}`, hidden, hidden);
    linear(`${name}.attention.output.dense`, hidden, hidden);
    norm(`${name}.attention.output.LayerNorm`);
    linear(`${name}.intermediate.dense`, intermediate, hidden);
    linear(`${name}.output.dense`, hidden, intermediate);
    norm(`${name}.output.LayerNorm`);
  }
  linear('bert.pooler.dense', hidden, hidden);
  linear('classifier', labels, hidden);
  return tensors;
}

/** Normally distributed numbers: xorshift and Box-Muller. */
function normal(seed) {
  let state = seed;
  const uniform = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
