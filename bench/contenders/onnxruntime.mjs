import { idsOf } from './text.mjs';

/** module: address of onnxruntime-web's CPU build. model: address of an .onnx file. wasmPaths: where its .wasm is, in a page. */
export async function start({ module, model, wasmPaths, threads = 1 }) {
  const ort = await import(module);
  ort.env.wasm.numThreads = threads;
  if (wasmPaths) ort.env.wasm.wasmPaths = wasmPaths;
  const session = await ort.InferenceSession.create(await read(model), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
  return {
    facts: { backend: 'wasm', threads },
    async run({ n, batch = 1 }) {
      const tensor = (values) => new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [batch, n]);
      const ids = Array(batch).fill(idsOf(n)).flat();
      const { logits } = await session.run({
        input_ids: tensor(ids),
        attention_mask: tensor(ids.map(() => 1)),
        token_type_ids: tensor(ids.map(() => 0)),
      });
      return [...logits.data.slice(0, 2)];
    },
  };
}

async function read(address) {
  if (!address.startsWith('file:')) return new Uint8Array(await (await fetch(address)).arrayBuffer());
  const { readFileSync } = process.getBuiltinModule('node:fs');
  return readFileSync(new URL(address));
}
