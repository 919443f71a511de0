// The int8 product for WebAssembly, over the dot product of a build.
#pragma once

#include <cassert>

#include "kernels/gemm_wasm.h"

namespace headlight::kernels {

// What sums of codes are multiplied by and less what, for the columns of a tile.
struct CodeScale {
  CodeScale(const GemmI8& g, std::size_t column)
      : w_sum{wasm_v128_load(g.w_sums + column), wasm_v128_load(g.w_sums + column + 4)},
        w_scale{wasm_v128_load(g.w_scales + column), wasm_v128_load(g.w_scales + column + 4)} {}

  // Sums of a row as floats.
  void apply(const GemmI8& g, std::size_t row, const v128_t (&sums)[2], v128_t (&values)[2]) const {
    const v128_t zero = wasm_i32x4_splat(g.a_zeros[row]);
    const v128_t scale = wasm_f32x4_splat(g.a_scales[row]);
#pragma unroll
    for (std::size_t half = 0; half < 2; ++half) {
      const v128_t centred = wasm_i32x4_sub(sums[half], wasm_i32x4_mul(zero, w_sum[half]));
      values[half] = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(centred), wasm_f32x4_mul(scale, w_scale[half]));
    }
  }

  v128_t w_sum[2], w_scale[2];
};

// As store_rows, of sums of codes.
[[gnu::noinline]] inline void store_scaled_rows(const GemmI8& g, std::size_t row, std::size_t column,
                                                const TileSums& sums, std::size_t rows,
                                                const TileOutput& output) {
  const CodeScale scale(g, column);
#pragma nounroll
  for (std::size_t r = 0; r < rows; ++r) {
    v128_t values[2];
    scale.apply(g, row + r, sums[r], values);
    output.store(r, values[0], values[1]);
  }
}

// As store_tile, of sums of codes [Rows][8] from `row` and `column` on.
template <std::size_t Rows>
[[gnu::always_inline]] inline void store_scaled(const GemmI8& g, std::size_t row, std::size_t column,
                                                const v128_t (&sum)[Rows][2], const TileOutput& output) {
  if constexpr (Rows == kTileRows) {
    const CodeScale scale(g, column);
#pragma unroll
    for (std::size_t r = 0; r < Rows; ++r) {
      v128_t values[2];
      scale.apply(g, row + r, sum[r], values);
      output.store(r, values[0], values[1]);
    }
  } else {
    TileSums kept;
    copy_sums(sum, kept);
    store_scaled_rows(g, row, column, kept, Rows, output);
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
