// The definition of what makes floats of int8 weights.
#pragma once

#include "kernels/kernels.h"

namespace headlight::kernels {

template <std::size_t Group>
void dequantise_scalar(const std::int8_t* codes, const float* scales, std::size_t groups, float* out) {
  for (std::size_t g = 0; g < groups; ++g, out += Group * kPanelColumns) {
    for (std::size_t c = 0; c < kPanelColumns; ++c) {
      for (std::size_t i = 0; i < Group; ++i)
        out[i * kPanelColumns + c] = static_cast<float>(*codes++) * scales[c];
    }
  }
}

}  // namespace headlight::kernels
