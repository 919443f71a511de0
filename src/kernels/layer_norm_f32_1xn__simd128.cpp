#include <cassert>
#include <cmath>

#include "kernels/kernels.h"
#include "kernels/math_simd128.h"

namespace headlight::kernels {
namespace {

// add(v, partial) -> the partial sum with what vector v of x[0..n) adds; n: a multiple of 4. Four sums run side by side, so
// that none waits for the one before.
template <typename Add>
float sum_over(const float* x, std::size_t n, Add add) {
  v128_t partial[4] = {};
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
#pragma unroll
    for (std::size_t j = 0; j < 4; ++j) partial[j] = add(wasm_v128_load(x + i + 4 * j), partial[j]);
  }
  for (; i < n; i += 4) partial[0] = add(wasm_v128_load(x + i), partial[0]);
  return sum_f32x4(
      wasm_f32x4_add(wasm_f32x4_add(partial[0], partial[1]), wasm_f32x4_add(partial[2], partial[3])));
}

}  // namespace

void layer_norm_f32_1xn__simd128(const float* x, const float* weight, const float* bias, float eps,
                                 std::size_t n, float* out) {
  assert(n > 0);
  const std::size_t whole = n & ~std::size_t{3};
  float sum = sum_over(x, whole, [](v128_t v, v128_t partial) { return wasm_f32x4_add(partial, v); });
  for (std::size_t i = whole; i < n; ++i) sum += x[i];
  const float mean = sum / static_cast<float>(n);

  const v128_t mean4 = wasm_f32x4_splat(mean);
  float squares = sum_over(x, whole, [&](v128_t v, v128_t partial) {
    const v128_t d = wasm_f32x4_sub(v, mean4);
    return multiply_add(d, d, partial);
  });
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
