// Models whose answers are told: BERT folders in which every layer adds nothing, so that a token's result is its own.

import { makeTinyModel } from './tiny-model.mjs';
import { encodeSafetensors } from './safetensors.mjs';

/** The files of a model of entities that gives each token of `labelOf` its label, others the first one. */
export function makeTaggingModel({ labels, labelOf }) {
  return makeToldModel('BertForTokenClassification', { id2label: { ...labels } }, ({ hidden, ids, set }) => {
    set('bert.embeddings.word_embeddings.weight', [ids.size, hidden], (at) => {
      for (const [token, id] of ids) at(id, Math.max(0, labels.indexOf(labelOf[token])));
    });
    set('classifier.weight', [labels.length, hidden], (at) => labels.forEach((_label, index) => at(index, index)));
    set('classifier.bias', [labels.length]);
  });
}

/** The files of a masked language model that fills every mask with the words of `ranking`, the best first. */
export function makeFillingModel({ ranking }) {
  return makeToldModel('BertForMaskedLM', {}, ({ hidden, ids, set }) => {
    set('bert.embeddings.word_embeddings.weight', [ids.size, hidden]);
    set('cls.predictions.transform.dense.weight', [hidden, hidden]);
    set('cls.predictions.transform.dense.bias', [hidden]);
    set('cls.predictions.transform.LayerNorm.weight', [hidden]);
    set('cls.predictions.transform.LayerNorm.bias', [hidden]);
    set('cls.predictions.bias', [ids.size], (at) => ranking.forEach((word, rank) => at(0, ids.get(word), ranking.length - rank)));
  });
}

function makeToldModel(architecture, config, setHead) {
  const files = makeTinyModel({ layers: 1 });
  const base = JSON.parse(new TextDecoder().decode(files['config.json']));
  const { hidden_size: hidden, intermediate_size: intermediate, max_position_embeddings: positions } = base;
  const tokens = new TextDecoder().decode(files['vocab.txt']).trim().split('\n');
  const tensors = {};
  /** Zeros, but for what `fill` sets at (row, column). */
  const set = (name, shape, fill) => {
    const data = new Float32Array(shape.reduce((product, n) => product * n, 1));
    fill?.((row, column, value = 1) => (data[row * shape.at(-1) + column] = value));
    tensors[name] = { shape, data };
  };
  const linear = (name, out, into) => (set(`${name}.weight`, [out, into]), set(`${name}.bias`, [out]));
  const norm = (name) => {
    tensors[`${name}.weight`] = { shape: [hidden], data: new Float32Array(hidden).fill(1) };
    set(`${name}.bias`, [hidden]);
  };
  set('bert.embeddings.position_embeddings.weight', [positions, hidden]);
  set('bert.embeddings.token_type_embeddings.weight', [2, hidden]);
  norm('bert.embeddings.LayerNorm');
  const layer = 'bert.encoder.layer.0';
  for (const part of ['query', 'key', 'value']) linear(`${layer}.attention.self.${part}`, hidden, hidden);
  linear(`${layer}.attention.output.dense`, hidden, hidden);
  norm(`${layer}.attention.output.LayerNorm`);
  linear(`${layer}.intermediate.dense`, intermediate, hidden);
  linear(`${layer}.output.dense`, hidden, intermediate);
  norm(`${layer}.output.LayerNorm`);
  setHead({ hidden, ids: new Map(tokens.map((token, id) => [token, id])), set });
  return {
    ...files,
    'config.json': new TextEncoder().encode(JSON.stringify({ ...base, id2label: undefined, label2id: undefined, architectures: [architecture], ...config })),
    'model.safetensors': encodeSafetensors(tensors),
  };
}
