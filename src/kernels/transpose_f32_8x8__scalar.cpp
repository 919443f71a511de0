#include "kernels/kernels.h"

namespace headlight::kernels {

void transpose_f32_8x8__scalar(const float* from, std::size_t stride, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; ++i, from += stride, out += kPanelColumns * kPanelColumns) {
    for (std::size_t r = 0; r < kPanelColumns; ++r) {
      for (std::size_t c = 0; c < kPanelColumns; ++c)
        out[c * kPanelColumns + r] = from[r * kPanelColumns + c];
    }
  }
}

}  // namespace headlight::kernels
