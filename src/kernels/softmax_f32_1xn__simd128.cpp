#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/kernels.h"
#include "kernels/math_simd128.h"

namespace headlight::kernels {

void softmax_f32_1xn__simd128(float* x, std::size_t n, float scale) {
  assert(n > 0 && scale > 0);
  const std::size_t whole = n & ~std::size_t{3};
  v128_t max4 = wasm_f32x4_const_splat(-INFINITY);
  // NaN is passed by here; its exponential makes the sum NaN.
  for (std::size_t i = 0; i < whole; i += 4) max4 = wasm_f32x4_pmax(max4, wasm_v128_load(x + i));
  float max = max_f32x4(max4);
  for (std::size_t i = whole; i < n; ++i) max = std::max(max, x[i]);

  const v128_t scale4 = wasm_f32x4_splat(scale);
  const v128_t offset4 = wasm_f32x4_splat(-max * scale);
  float sum = 0;
  v128_t sum4 = wasm_f32x4_const_splat(0);
  const Constants constants(kExp);
  const auto exponential = [&](v128_t v) { return exp_f32x4(multiply_add(v, scale4, offset4), constants); };
  for (std::size_t i = 0; i < whole; i += 4) {
    const v128_t e = exponential(wasm_v128_load(x + i));
    sum4 = wasm_f32x4_add(sum4, e);
    wasm_v128_store(x + i, e);
  }
  map_f32(x + whole, n - whole, exponential);
  for (std::size_t i = whole; i < n; ++i) sum += x[i];
  sum += sum_f32x4(sum4);

  const v128_t inverse4 = wasm_f32x4_splat(1 / sum);
  map_f32(x, n, [&](v128_t v) { return wasm_f32x4_mul(v, inverse4); });
}

}  // namespace headlight::kernels
