#include <cmath>

#include "kernels/kernels.h"

namespace headlight::kernels {

void gelu_tanh_f32_1xn__scalar(float* x, std::size_t n) {
  constexpr float kSqrt2OverPi = 0.7978845608f;
  for (std::size_t i = 0; i < n; ++i) {
    const float u = kSqrt2OverPi * (x[i] + 0.044715f * x[i] * x[i] * x[i]);
    x[i] = 0.5f * x[i] * (1 + std::tanh(u));
  }
}

}  // namespace headlight::kernels
