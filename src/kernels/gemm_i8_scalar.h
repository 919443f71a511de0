// The definition of the int8 products, for activations of either kind.
#pragma once

#include <algorithm>
#include <cassert>

#include "kernels/kernels.h"

namespace headlight::kernels {

template <typename Activation, std::size_t Group>
void gemm_i8_scalar(const GemmI8& g) {
  const std::size_t groups = (g.k + Group - 1) / Group;
  assert(g.k > 0 && g.a_stride >= groups * Group * sizeof(Activation) && g.out_stride >= g.columns);
  for (std::size_t r = 0; r < g.rows; ++r) {
    const auto* a = reinterpret_cast<const Activation*>(g.a + r * g.a_stride);
    for (std::size_t first = 0; first < g.columns; first += kPanelColumns) {
      const std::int8_t* panel = g.panels + first * groups * Group;
      std::int32_t sum[kPanelColumns] = {};
      for (std::size_t p = 0; p < groups; ++p) {
        for (std::size_t c = 0; c < kPanelColumns; ++c) {
          for (std::size_t i = 0; i < Group; ++i)
            sum[c] += a[p * Group + i] * panel[(p * kPanelColumns + c) * Group + i];
        }
      }
      for (std::size_t c = first; c < std::min(first + kPanelColumns, g.columns); ++c) {
        const std::int32_t centred = sum[c - first] - g.a_zeros[r] * g.w_sums[c];
        float value = static_cast<float>(centred) * (g.a_scales[r] * g.w_scales[c]);
        if (g.bias) value += g.bias[c];
        if (g.residual) value += g.residual[r * g.residual_stride + c];
        g.out[r * g.out_stride + c] = value;
      }
    }
  }
}

}  // namespace headlight::kernels
