#include <algorithm>
#include <cassert>

#include "kernels/kernels.h"

namespace headlight::kernels {

void gemm_f32_6x8__scalar(const GemmF32& g) {
  assert(g.k > 0 && g.a_stride >= g.k && g.out_stride >= g.columns);
  for (std::size_t first = 0; first < g.columns; first += kPanelColumns) {
    const float* panel = g.panels + first * g.k;
    const std::size_t width = std::min(kPanelColumns, g.columns - first);
    for (std::size_t r = 0; r < g.rows; ++r) {
      const float* a = g.a + r * g.a_stride;
      float sum[kPanelColumns] = {};
      for (std::size_t p = 0; p < g.k; ++p) {
        for (std::size_t c = 0; c < kPanelColumns; ++c) sum[c] += a[p] * panel[p * kPanelColumns + c];
      }
      for (std::size_t c = 0; c < width; ++c) {
        float value = sum[c];
        if (g.bias) value += g.bias[first + c];
        if (g.residual) value += g.residual[r * g.residual_stride + first + c];
        g.out[r * g.out_stride + first + c] = value;
      }
    }
  }
}

}  // namespace headlight::kernels
