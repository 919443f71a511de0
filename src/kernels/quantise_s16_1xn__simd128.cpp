#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"
#include "kernels/math_simd128.h"

namespace headlight::kernels {

RowQuantisation quantise_s16_1xn__simd128(const float* x, std::size_t k, std::byte* codes) {
  const std::size_t whole = k & ~std::size_t{7};
  v128_t largest4 = wasm_f32x4_const_splat(0);
  v128_t nan4 = largest4;
  for (std::size_t p = 0; p < whole; p += 4) {
    const v128_t v = wasm_v128_load(x + p);
    largest4 = wasm_f32x4_pmax(largest4, wasm_f32x4_abs(v));
    nan4 = wasm_v128_or(nan4, wasm_f32x4_ne(v, v));
  }
  if (wasm_v128_any_true(nan4)) largest4 = nan4;  // the scale, and with it every product, becomes NaN
  float largest = max_f32x4(largest4);
  for (std::size_t p = whole; p < k; ++p) largest = std::max(largest, std::abs(x[p]));
  const float limit = s16_limit(k);
  const float inverse = largest > 0 ? limit / largest : 0;

  const v128_t inverse4 = wasm_f32x4_splat(inverse);
  const auto quantise4 = [&](const float* values) {
    return to_i32x4(wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(values), inverse4)));
  };
  auto* out = reinterpret_cast<std::int16_t*>(codes);
  for (std::size_t p = 0; p < whole; p += 8) {
    wasm_v128_store(out + p, wasm_i16x8_narrow_i32x4(quantise4(x + p), quantise4(x + p + 4)));
  }
  for (std::size_t p = whole; p < k; ++p) out[p] = static_cast<std::int16_t>(std::nearbyint(x[p] * inverse));
  if (k % kS16Group != 0) out[k] = 0;
  return {.scale = largest / limit, .zero = 0};
}

}  // namespace headlight::kernels
