// transformers.js as its users call it: text in, label out; everything from one server, on one thread.

import { textOf } from './text.mjs';

/** module: address of transformers.js. models: address of the folder of models. model: the model's name in it. */
export async function start({ module, models, model, wasmPaths, dtype }) {
  const { env, pipeline } = await import(module);
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = models;
  env.backends.onnx.wasm.wasmPaths = wasmPaths;
  env.backends.onnx.wasm.numThreads = 1;
  const classify = await pipeline('text-classification', model, { dtype, device: 'wasm' });
  return {
    facts: { backend: 'wasm', dtype, threads: 1 },
    async run({ n }) {
      const labels = await classify(textOf(n), { top_k: 2 });
      return [...labels].sort((a, b) => (a.label < b.label ? -1 : 1)).map(({ score }) => score);
    },
  };
}
