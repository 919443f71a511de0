#include <wasm_simd128.h>

#include "kernels/kernels.h"

namespace headlight::kernels {

// A group is eight lanes of 16 bits, the codes of a column's two inputs in each.
void dequantise_s8_2x8__simd128(const std::int8_t* codes, const float* scales, std::size_t groups,
                                float* out) {
  const v128_t low = wasm_v128_load(scales), high = wasm_v128_load(scales + 4);
  const auto store = [=](v128_t row, float* to) {
    wasm_v128_store(to, wasm_f32x4_mul(wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(row)), low));
    wasm_v128_store(to + 4,
                    wasm_f32x4_mul(wasm_f32x4_convert_i32x4(wasm_i32x4_extend_high_i16x8(row)), high));
  };
  for (std::size_t g = 0; g < groups; ++g, codes += 2 * kPanelColumns, out += 2 * kPanelColumns) {
    const v128_t group = wasm_v128_load(codes);
    store(wasm_i16x8_shr(wasm_i16x8_shl(group, 8), 8), out);
    store(wasm_i16x8_shr(group, 8), out + kPanelColumns);
  }
}

}  // namespace headlight::kernels
