#include <cassert>

#include "kernels/gemm_wasm.h"

namespace headlight::kernels {
namespace {

// Two accumulators a row; each step loads two vectors of the panel and broadcasts one activation a row.
template <std::size_t Rows>
struct Tile {
  static void run(const float* a, std::size_t a_stride, const float* panel, std::size_t k,
                  const TileOutput& output) {
    v128_t sum[Rows][2];
#pragma unroll
    for (std::size_t r = 0; r < Rows; ++r) sum[r][0] = sum[r][1] = wasm_f32x4_const_splat(0);
    for (const float* const end = panel + k * kPanelColumns; panel != end; panel += kPanelColumns, ++a) {
      const v128_t w0 = wasm_v128_load(panel);
      const v128_t w1 = wasm_v128_load(panel + 4);
#pragma unroll
      for (std::size_t r = 0; r < Rows; ++r) {
        const v128_t x = wasm_v128_load32_splat(a + r * a_stride);
        sum[r][0] = multiply_add(x, w0, sum[r][0]);
        sum[r][1] = multiply_add(x, w1, sum[r][1]);
      }
    }
    store_tile(sum, output);
  }
};

}  // namespace

void gemm_f32_6x8__simd128(const GemmF32& g) {
  assert(g.k > 0 && g.a_stride >= g.k && g.out_stride >= g.columns);
  for_each_tile(g, [&](std::size_t rows, std::size_t row, std::size_t column, const TileOutput& output) {
    call_for_rows<Tile>(rows, g.a + row * g.a_stride, g.a_stride, g.panels + column * g.k, g.k, output);
  });
}

}  // namespace headlight::kernels
