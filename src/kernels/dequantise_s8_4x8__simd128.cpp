#include <wasm_simd128.h>

#include "kernels/kernels.h"

namespace headlight::kernels {

// A group is eight lanes of 32 bits, the codes of a column's four inputs in each.
void dequantise_s8_4x8__simd128(const std::int8_t* codes, const float* scales, std::size_t groups,
                                float* out) {
  const v128_t scale[2] = {wasm_v128_load(scales), wasm_v128_load(scales + 4)};
  for (std::size_t g = 0; g < groups; ++g, out += 4 * kPanelColumns) {
    for (std::size_t half = 0; half < 2; ++half, codes += 2 * kPanelColumns) {
      const v128_t group = wasm_v128_load(codes);
      const auto store = [&](v128_t row, std::size_t i) {
        wasm_v128_store(out + i * kPanelColumns + 4 * half,
                        wasm_f32x4_mul(wasm_f32x4_convert_i32x4(row), scale[half]));
      };
      store(wasm_i32x4_shr(wasm_i32x4_shl(group, 24), 24), 0);
      store(wasm_i32x4_shr(wasm_i32x4_shl(group, 16), 24), 1);
      store(wasm_i32x4_shr(wasm_i32x4_shl(group, 8), 24), 2);
      store(wasm_i32x4_shr(group, 24), 3);
    }
  }
}

}  // namespace headlight::kernels
