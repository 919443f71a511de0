#include <wasm_simd128.h>

#include "kernels/kernels.h"

namespace headlight::kernels {
namespace {

// Four rows of four, a row every 8 floats.
inline void transpose_4x4(const float* from, float* out) {
  const v128_t a = wasm_v128_load(from), b = wasm_v128_load(from + 8);
  const v128_t c = wasm_v128_load(from + 16), d = wasm_v128_load(from + 24);
  const v128_t ab_low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
  const v128_t cd_low = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
  wasm_v128_store(out, wasm_i64x2_shuffle(ab_low, cd_low, 0, 2));
  wasm_v128_store(out + 8, wasm_i64x2_shuffle(ab_low, cd_low, 1, 3));
  wasm_v128_store(out + 16, wasm_i64x2_shuffle(ab_high, cd_high, 0, 2));
  wasm_v128_store(out + 24, wasm_i64x2_shuffle(ab_high, cd_high, 1, 3));
}

}  // namespace

void transpose_f32_8x8__simd128(const float* from, std::size_t stride, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; ++i, from += stride, out += kPanelColumns * kPanelColumns) {
    transpose_4x4(from, out);
    transpose_4x4(from + 4, out + 32);
    transpose_4x4(from + 32, out + 4);
    transpose_4x4(from + 36, out + 36);
  }
}

}  // namespace headlight::kernels
