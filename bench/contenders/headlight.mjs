import { textOf } from './text.mjs';

const outputs = {
  logits: {},
  tokens: { lastHiddenState: true },
  attentions: { lastHiddenState: true, attentions: true },
};

/** library: address of the package's index.js. folder: the model's. options: of load(). */
export async function start({ library, folder, options }) {
  const { load } = await import(library);
  const model = await load(folder, options);
  return {
    facts: { backend: model.platform.build, dtype: model.info.dtype, threads: model.platform.threads },
    async run({ n, output, batch = 1 }) {
      const texts = Array(batch).fill(textOf(n));
      if (output === 'label') return scoresOf((await model.classify(texts))[0]);
      const [result] = await model.forward(texts, outputs[output]);
      return [...result.logits.data];
    },
  };
}

/** By label, for comparison. */
const scoresOf = (labels) => [...labels].sort((a, b) => (a.label < b.label ? -1 : 1)).map(({ score }) => score);
