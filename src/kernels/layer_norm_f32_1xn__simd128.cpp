#include <cassert>
#include <cmath>

#include "kernels/kernels.h"
#include "kernels/math_simd128.h"

namespace headlight::kernels {

void layer_norm_f32_1xn__simd128(const float* x, const float* weight, const float* bias, float eps,
                                 std::size_t n, float* out) {
  assert(n > 0);
  const std::size_t whole = n & ~std::size_t{3};
  v128_t sum4 = wasm_f32x4_const_splat(0);
  for (std::size_t i = 0; i < whole; i += 4) sum4 = wasm_f32x4_add(sum4, wasm_v128_load(x + i));
  float sum = sum_f32x4(sum4);
  for (std::size_t i = whole; i < n; ++i) sum += x[i];
  const float mean = sum / static_cast<float>(n);

  const v128_t mean4 = wasm_f32x4_splat(mean);
  v128_t squares4 = wasm_f32x4_const_splat(0);
  for (std::size_t i = 0; i < whole; i += 4) {
    const v128_t d = wasm_f32x4_sub(wasm_v128_load(x + i), mean4);
    squares4 = multiply_add(d, d, squares4);
  }
  float squares = sum_f32x4(squares4);
  for (std::size_t i = whole; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
  const float inverse = 1 / std::sqrt(squares / static_cast<float>(n) + eps);

  const v128_t inverse4 = wasm_f32x4_splat(inverse);
  for (std::size_t i = 0; i < whole; i += 4) {
    const v128_t d = wasm_f32x4_mul(wasm_f32x4_sub(wasm_v128_load(x + i), mean4), inverse4);
    wasm_v128_store(out + i, multiply_add(d, wasm_v128_load(weight + i), wasm_v128_load(bias + i)));
  }
  for (std::size_t i = whole; i < n; ++i) out[i] = (x[i] - mean) * inverse * weight[i] + bias[i];
}

}  // namespace headlight::kernels
