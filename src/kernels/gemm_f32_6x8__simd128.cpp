#include <wasm_simd128.h>

#include <algorithm>
#include <cassert>

#include "kernels/kernels.h"

namespace headlight::kernels {
namespace {

struct Tile {
  const float* a;
  std::size_t a_stride;
  const float* bias;      // of this panel's columns, or null
  const float* residual;  // of this tile, or null
  std::size_t residual_stride;
  float* out;
  std::size_t out_stride;
};

// Rows x 8 outputs, accumulated in registers: two vectors a row, one broadcast of `a` and two of the panel at a time.
template <std::size_t Rows>
void multiply(const Tile& tile, const float* panel, std::size_t k) {
  v128_t sum[Rows][2];
#pragma unroll
  for (std::size_t r = 0; r < Rows; ++r) sum[r][0] = sum[r][1] = wasm_f32x4_const_splat(0);
  for (std::size_t p = 0; p < k; ++p) {
    const v128_t w0 = wasm_v128_load(panel);
    const v128_t w1 = wasm_v128_load(panel + 4);
    panel += kPanelColumns;
#pragma unroll
    for (std::size_t r = 0; r < Rows; ++r) {
      const v128_t a = wasm_v128_load32_splat(tile.a + r * tile.a_stride + p);
      sum[r][0] = wasm_f32x4_add(sum[r][0], wasm_f32x4_mul(a, w0));
      sum[r][1] = wasm_f32x4_add(sum[r][1], wasm_f32x4_mul(a, w1));
    }
  }
#pragma unroll
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t half = 0; half < 2; ++half) {
      v128_t value = sum[r][half];
      if (tile.bias) value = wasm_f32x4_add(value, wasm_v128_load(tile.bias + 4 * half));
      if (tile.residual) {
        value = wasm_f32x4_add(value, wasm_v128_load(tile.residual + r * tile.residual_stride + 4 * half));
      }
      wasm_v128_store(tile.out + r * tile.out_stride + 4 * half, value);
    }
  }
}

constexpr void (*kMultiply[kTileRows + 1])(const Tile&, const float*, std::size_t) = {
    nullptr, multiply<1>, multiply<2>, multiply<3>, multiply<4>, multiply<5>, multiply<6>};

// The last panel, where fewer than eight columns belong to the matrix: computed beside it and copied.
void multiply_narrow(const Tile& tile, std::size_t rows, const float* panel, std::size_t k, std::size_t width) {
  float out[kTileRows * kPanelColumns];
  kMultiply[rows]({.a = tile.a, .a_stride = tile.a_stride, .bias = nullptr, .residual = nullptr,
                   .residual_stride = 0, .out = out, .out_stride = kPanelColumns},
                  panel, k);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < width; ++c) {
      float value = out[r * kPanelColumns + c];
      if (tile.bias) value += tile.bias[c];
      if (tile.residual) value += tile.residual[r * tile.residual_stride + c];
      tile.out[r * tile.out_stride + c] = value;
    }
  }
}

}  // namespace

// Panel by panel, so that one panel stays in the first-level cache while the rows stream past it.
void gemm_f32_6x8__simd128(const GemmF32& g) {
  assert(g.k > 0 && g.a_stride >= g.k && g.out_stride >= g.columns);
  for (std::size_t first = 0; first < g.columns; first += kPanelColumns) {
    const float* panel = g.panels + first * g.k;
    const std::size_t width = std::min(kPanelColumns, g.columns - first);
    for (std::size_t r = 0; r < g.rows; r += kTileRows) {
      const std::size_t rows = std::min(kTileRows, g.rows - r);
      const Tile tile{.a = g.a + r * g.a_stride,
                      .a_stride = g.a_stride,
                      .bias = g.bias ? g.bias + first : nullptr,
                      .residual = g.residual ? g.residual + r * g.residual_stride + first : nullptr,
                      .residual_stride = g.residual_stride,
                      .out = g.out + r * g.out_stride + first,
                      .out_stride = g.out_stride};
      if (width == kPanelColumns) {
        kMultiply[rows](tile, panel, g.k);
      } else {
        multiply_narrow(tile, rows, panel, g.k, width);
      }
    }
  }
}

}  // namespace headlight::kernels
