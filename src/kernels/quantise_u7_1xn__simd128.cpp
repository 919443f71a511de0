#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"
#include "kernels/math_simd128.h"

namespace headlight::kernels {

RowQuantisation quantise_u7_1xn__simd128(const float* x, std::size_t k, std::byte* codes) {
  const std::size_t whole = k & ~std::size_t{3};
  v128_t low4 = wasm_f32x4_const_splat(0);
  v128_t high4 = low4;
  v128_t nan4 = low4;
  for (std::size_t p = 0; p < whole; p += 4) {
    const v128_t v = wasm_v128_load(x + p);
    low4 = wasm_f32x4_pmin(low4, v);
    high4 = wasm_f32x4_pmax(high4, v);
    nan4 = wasm_v128_or(nan4, wasm_f32x4_ne(v, v));
  }
  if (wasm_v128_any_true(nan4)) high4 = nan4;  // the scale, and with it every product, becomes NaN
  float low = -max_f32x4(wasm_f32x4_neg(low4));
  float high = max_f32x4(high4);
  for (std::size_t p = whole; p < k; ++p) {
    low = std::min(low, x[p]);
    high = std::max(high, x[p]);
  }
  const float range = high - low;
  const float inverse = range > 0 ? 127 / range : 0;
  const float zero = std::nearbyint(-low * inverse);

  const v128_t inverse4 = wasm_f32x4_splat(inverse);
  const v128_t zero4 = wasm_i32x4_splat(static_cast<std::int32_t>(zero));
  const auto quantise4 = [&](const float* values) {
    const v128_t scaled = wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(values), inverse4));
    return wasm_i32x4_add(to_i32x4(scaled), zero4);
  };
  const v128_t most = wasm_i8x16_const_splat(127);
  std::size_t p = 0;
  for (; p + 16 <= k; p += 16) {
    const v128_t low8 = wasm_i16x8_narrow_i32x4(quantise4(x + p), quantise4(x + p + 4));
    const v128_t high8 = wasm_i16x8_narrow_i32x4(quantise4(x + p + 8), quantise4(x + p + 12));
    wasm_v128_store(codes + p, wasm_u8x16_min(wasm_u8x16_narrow_i16x8(low8, high8), most));
  }
  for (; p < k; ++p) {
    codes[p] = static_cast<std::byte>(std::clamp(std::nearbyint(x[p] * inverse) + zero, 0.0f, 127.0f));
  }
  for (; p % kU7Group != 0; ++p) codes[p] = std::byte{0};
  return {.scale = range / 127, .zero = static_cast<std::int32_t>(zero)};
}

}  // namespace headlight::kernels
