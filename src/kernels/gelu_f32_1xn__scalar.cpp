#include <cmath>
#include <numbers>

#include "kernels/kernels.h"

namespace headlight::kernels {

void gelu_f32_1xn__scalar(float* x, std::size_t n) {
  constexpr float kInverseSqrt2 = 1 / std::numbers::sqrt2_v<float>;
  for (std::size_t i = 0; i < n; ++i) x[i] = 0.5f * x[i] * (1 + std::erf(x[i] * kInverseSqrt2));
}

}  // namespace headlight::kernels
