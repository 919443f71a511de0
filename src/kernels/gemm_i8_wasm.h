// The int8 product for WebAssembly, over the dot product of a build.
#pragma once

#include <cassert>

#include "kernels/gemm_wasm.h"

namespace headlight::kernels {

// Sums of codes [Rows][8] from `row` and `column` on, as floats.
template <std::size_t Rows>
[[gnu::always_inline]] inline void store_scaled(const GemmI8& g, std::size_t row, std::size_t column,
                                                const v128_t (&sum)[Rows][2], const TileOutput& output) {
  const v128_t w_sum[2] = {wasm_v128_load(g.w_sums + column), wasm_v128_load(g.w_sums + column + 4)};
  const v128_t w_scale[2] = {wasm_v128_load(g.w_scales + column), wasm_v128_load(g.w_scales + column + 4)};
#pragma unroll
  for (std::size_t r = 0; r < Rows; ++r) {
    const v128_t zero = wasm_i32x4_splat(g.a_zeros[row + r]);
    const v128_t scale = wasm_f32x4_splat(g.a_scales[row + r]);
    const auto value = [&](std::size_t half) {
      const v128_t centred = wasm_i32x4_sub(sum[r][half], wasm_i32x4_mul(zero, w_sum[half]));
      return wasm_f32x4_mul(wasm_f32x4_convert_i32x4(centred), wasm_f32x4_mul(scale, w_scale[half]));
    };
    output.store(r, value(0), value(1));
  }
}

// Dot: kGroup values of k stand in 32 bits of activations; load() takes four columns of a panel's group, and
// multiply_add(w, x, sum) adds their products with the broadcast activations.
template <typename Dot>
struct TileI8 {
  template <std::size_t Rows>
  struct ForRows {
    static void run(const GemmI8& g, std::size_t row, std::size_t column, const TileOutput& output) {
      const std::size_t groups = (g.k + Dot::kGroup - 1) / Dot::kGroup;
      const std::byte* a = g.a + row * g.a_stride;
      const std::int8_t* w = g.panels + column * groups * Dot::kGroup;
      const std::int8_t* const end = w + groups * kPanelColumns * Dot::kGroup;
      v128_t sum[Rows][2];
#pragma unroll
      for (std::size_t r = 0; r < Rows; ++r) sum[r][0] = sum[r][1] = wasm_i32x4_const_splat(0);
      for (; w != end; w += kPanelColumns * Dot::kGroup, a += sizeof(std::uint32_t)) {
        const v128_t w0 = Dot::load(w);
        const v128_t w1 = Dot::load(w + 4 * Dot::kGroup);
#pragma unroll
        for (std::size_t r = 0; r < Rows; ++r) {
          const v128_t x = wasm_v128_load32_splat(a + r * g.a_stride);
          sum[r][0] = Dot::multiply_add(w0, x, sum[r][0]);
          sum[r][1] = Dot::multiply_add(w1, x, sum[r][1]);
        }
      }
      store_scaled(g, row, column, sum, output);
    }
  };
};

// Tile<rows>::run computes a tile.
template <template <std::size_t> typename Tile>
void gemm_i8_wasm(const GemmI8& g) {
  assert(g.k > 0 && g.out_stride >= g.columns);
  for_each_tile(g, [&](std::size_t rows, std::size_t row, std::size_t column, const TileOutput& output) {
    call_for_rows<Tile>(rows, g, row, column, output);
  });
}

}  // namespace headlight::kernels
