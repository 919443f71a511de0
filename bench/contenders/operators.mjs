// Single operators of the engine (bench/operators.cpp).

const names = ['gemm_f32', 'gemm_i8', 'quantise_i8', 'layer_norm', 'gelu', 'softmax', 'attention'];

/** wasm: address of headlight_bench.wasm. */
export async function start({ wasm }) {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const anything = new Proxy({}, { get: () => () => 0 });
  const imports = new Proxy({}, { get: () => anything });
  const { instance } = await WebAssembly.instantiate(readFileSync(new URL(wasm)), imports);
  instance.exports._initialize?.();
  return {
    facts: {},
    async run({ operator, rows, k, columns = 1, repeats }) {
      instance.exports.run(names.indexOf(operator), rows, k, columns, repeats);
      return [];
    },
  };
}
