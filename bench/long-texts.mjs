// Long texts through a Longformer of base size with random weights: memory and counted work, by length.
//
//   node bench/long-texts.mjs        needs a built package; some 600 MB of disk for the model, made once
//
// Prints the memory of the WebAssembly instance after a run of each length, each in an instance of its own, without
// attentions and with those of one layer, and exits with 1 where a limit of docs/benchmarks.md is not kept.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { load } from '../dist/index.js';

const lengths = [1024, 4096];
const limits = { plain: 1.5e9, compact: 1.7e9, growth: 4.6 };
const layers = 12;
const hidden = 768;
const wide = 3072;
const vocabulary = 50265;
const positions = 4098;

const config = {
  model_type: 'longformer',
  architectures: ['LongformerForSequenceClassification'],
  hidden_size: hidden,
  num_hidden_layers: layers,
  num_attention_heads: 12,
  intermediate_size: wide,
  vocab_size: vocabulary,
  max_position_embeddings: positions,
  type_vocab_size: 1,
  pad_token_id: 1,
  sep_token_id: 2,
  attention_window: Array(layers).fill(512),
  layer_norm_eps: 1e-5,
  id2label: { 0: 'no', 1: 'yes' },
};

function* shapes() {
  const linear = function* (name, inputs, outputs) {
    yield [`${name}.weight`, [outputs, inputs]];
    yield [`${name}.bias`, [outputs]];
  };
  const norm = function* (name) {
    yield [`${name}.weight`, [hidden]];
    yield [`${name}.bias`, [hidden]];
  };
  yield ['longformer.embeddings.word_embeddings.weight', [vocabulary, hidden]];
  yield ['longformer.embeddings.position_embeddings.weight', [positions, hidden]];
  yield ['longformer.embeddings.token_type_embeddings.weight', [1, hidden]];
  yield* norm('longformer.embeddings.LayerNorm');
  for (let layer = 0; layer < layers; layer++) {
    const name = `longformer.encoder.layer.${layer}`;
    for (const part of ['query', 'key', 'value']) {
      yield* linear(`${name}.attention.self.${part}`, hidden, hidden);
      yield* linear(`${name}.attention.self.${part}_global`, hidden, hidden);
    }
    yield* linear(`${name}.attention.output.dense`, hidden, hidden);
    yield* norm(`${name}.attention.output.LayerNorm`);
    yield* linear(`${name}.intermediate.dense`, hidden, wide);
    yield* linear(`${name}.output.dense`, wide, hidden);
    yield* norm(`${name}.output.LayerNorm`);
  }
  yield* linear('classifier.dense', hidden, hidden);
  yield* linear('classifier.out_proj', hidden, 2);
}

/** Uniform numbers of a spread that keeps the layers' outputs of one size. */
function weights(name, shape) {
  const size = shape.reduce((product, n) => product * n, 1);
  const values = new Float32Array(size);
  if (shape.length === 1) return values.fill(name.endsWith('.weight') ? 1 : 0);
  const spread = Math.sqrt(3 / shape[1]);
  let state = size >>> 0 || 1;
  for (let i = 0; i < size; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = (state / 2 ** 31 - 1) * spread;
  }
  return values;
}

function makeModel(folder) {
  if (fs.existsSync(path.join(folder, 'model.safetensors'))) return;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
  fs.writeFileSync(path.join(folder, 'tokenizer_config.json'), '{"tokenizer_class": "BertTokenizer"}');
  const words = ['[unused]', '[PAD]', '[SEP]', '[CLS]', '[UNK]', '[MASK]', 'a'];
  fs.writeFileSync(path.join(folder, 'vocab.txt'), `${words.join('\n')}\n`);
  const header = {};
  let end = 0;
  for (const [name, shape] of shapes()) {
    const begin = end;
    end += 4 * shape.reduce((product, n) => product * n, 1);
    header[name] = { dtype: 'F32', shape, data_offsets: [begin, end] };
  }
  const json = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(json.length));
  const partial = path.join(folder, 'partial');
  const file = fs.openSync(partial, 'w');
  fs.writeSync(file, size);
  fs.writeSync(file, json);
  for (const [name, shape] of shapes()) fs.writeSync(file, new Uint8Array(weights(name, shape).buffer));
  fs.closeSync(file);
  fs.renameSync(partial, path.join(folder, 'model.safetensors'));
}

async function measure(folder, length, options) {
  const model = await load(folder);
  const text = 'a '.repeat(length - 2);
  let work = 0;
  const result = await model.forward(text, { ...options, onProgress: (progress) => (work = progress.total ?? work) });
  const { heapBytes } = await model.counters();
  model.dispose();
  if (!result.logits.data.every(Number.isFinite)) throw new Error('the logits are not numbers');
  return { heapBytes, work };
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
const tools = process.env.HEADLIGHT_TOOLS ?? path.join(os.homedir(), '.cache/headlight');
const folder = path.join(tools, 'bench/longformer-base');
makeModel(folder);

let kept = true;
const measured = {};
for (const [form, options] of Object.entries({ plain: {}, compact: { compactAttentions: true, layers: [0] } })) {
  for (const length of lengths) {
    const { heapBytes } = await measure(folder, length, options);
    measured[`${form} ${length}`] = heapBytes;
    const within = heapBytes <= limits[form];
    kept &&= within;
    console.log(`${form}, ${length} tokens: ${megabytes(heapBytes)} of memory${within ? '' : `, more than ${megabytes(limits[form])}`}`);
  }
}
const weightBytes = [...shapes()].reduce((sum, [, shape]) => sum + 4 * shape.reduce((product, n) => product * n, 1), 0);
console.log(`the weights are ${megabytes(weightBytes)} of it`);
process.exitCode = kept ? 0 : 1;
