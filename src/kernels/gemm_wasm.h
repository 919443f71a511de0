// What the WebAssembly matrix products share: the walk over panels and tiles, and the store of a tile.
#pragma once

#include <wasm_simd128.h>

#include <algorithm>

#include "kernels/kernels.h"
#include "kernels/math_simd128.h"

namespace headlight::kernels {

// Where a tile of up to 6 rows x 8 columns goes.
struct TileOutput {
  float* out;
  std::size_t out_stride;
  const float* bias;      // of the tile's columns, or null
  const float* residual;  // of the tile, or null
  std::size_t residual_stride;

  // Row r of the tile, whole: two vectors.
  void store(std::size_t r, v128_t first, v128_t second) const {
    if (bias) {
      first = wasm_f32x4_add(first, wasm_v128_load(bias));
      second = wasm_f32x4_add(second, wasm_v128_load(bias + 4));
    }
    if (residual) {
      first = wasm_f32x4_add(first, wasm_v128_load(residual + r * residual_stride));
      second = wasm_f32x4_add(second, wasm_v128_load(residual + r * residual_stride + 4));
    }
    wasm_v128_store(out + r * out_stride, first);
    wasm_v128_store(out + r * out_stride + 4, second);
  }
};

// Sums of a tile that has come to its end: [rows][2].
using TileSums = v128_t[kTileRows][2];

// Stores tiles of fewer rows than kTileRows, the last ones of a product. One copy of this code serves all their heights.
[[gnu::noinline]] inline void store_rows(const TileSums& sums, std::size_t rows, const TileOutput& output) {
#pragma nounroll
  for (std::size_t r = 0; r < rows; ++r) output.store(r, sums[r][0], sums[r][1]);
}

template <std::size_t Rows>
[[gnu::always_inline]] inline void copy_sums(const v128_t (&from)[Rows][2], TileSums& to) {
#pragma unroll
  for (std::size_t r = 0; r < Rows; ++r) {
    to[r][0] = from[r][0];
    to[r][1] = from[r][1];
  }
}

// Stores a tile. Sums that a function is called with are in memory: those of whole tiles stay in registers.
template <std::size_t Rows>
[[gnu::always_inline]] inline void store_tile(const v128_t (&sums)[Rows][2], const TileOutput& output) {
  if constexpr (Rows == kTileRows) {
#pragma unroll
    for (std::size_t r = 0; r < Rows; ++r) output.store(r, sums[r][0], sums[r][1]);
  } else {
    TileSums kept;
    copy_sums(sums, kept);
    store_rows(kept, Rows, output);
  }
}

// Stores the first `width` columns of a tile that was computed beside the matrix, in rows of kPanelColumns. One copy of this
// code serves all products.
[[gnu::noinline]] inline void store_part(const float* beside, std::size_t rows, std::size_t width,
                                         const TileOutput& output) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < width; ++c) {
      float value = beside[i * kPanelColumns + c];
      if (output.bias) value += output.bias[c];
      if (output.residual) value += output.residual[i * output.residual_stride + c];
      output.out[i * output.out_stride + c] = value;
    }
  }
}

// Calls multiply(rows, first_row, first_column, output) for each tile of g (GemmF32 or GemmI8), panel by panel, so that one
// panel stays in the first-level cache while the rows stream past it. A last panel of fewer than eight columns is
// computed beside the matrix and copied.
template <typename Gemm, typename Multiply>
void for_each_tile(const Gemm& g, Multiply multiply) {
  for (std::size_t first = 0; first < g.columns; first += kPanelColumns) {
    const std::size_t width = std::min(kPanelColumns, g.columns - first);
    for (std::size_t r = 0; r < g.rows; r += kTileRows) {
      const std::size_t rows = std::min(kTileRows, g.rows - r);
      const TileOutput whole{.out = g.out + r * g.out_stride + first,
                             .out_stride = g.out_stride,
                             .bias = g.bias ? g.bias + first : nullptr,
                             .residual = g.residual ? g.residual + r * g.residual_stride + first : nullptr,
                             .residual_stride = g.residual_stride};
      if (width == kPanelColumns) {
        multiply(rows, r, first, whole);
        continue;
      }
      float beside[kTileRows * kPanelColumns];
      multiply(rows, r, first,
               TileOutput{.out = beside,
                          .out_stride = kPanelColumns,
                          .bias = nullptr,
                          .residual = nullptr,
                          .residual_stride = 0});
      store_part(beside, rows, width, whole);
    }
  }
}

// The function for `rows` rows (1 … 6) of a family templated on their number.
template <template <std::size_t> typename Family, typename... Arguments>
void call_for_rows(std::size_t rows, const Arguments&... arguments) {
  switch (rows) {
    case 1:
      return Family<1>::run(arguments...);
    case 2:
      return Family<2>::run(arguments...);
    case 3:
      return Family<3>::run(arguments...);
    case 4:
      return Family<4>::run(arguments...);
    case 5:
      return Family<5>::run(arguments...);
    default:
      return Family<6>::run(arguments...);
  }
}

}  // namespace headlight::kernels
