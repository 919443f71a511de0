#include <cassert>
#include <cmath>

#include "kernels/kernels.h"

namespace headlight::kernels {

// Ba, Kiros & Hinton 2016, with the biased variance.
void layer_norm_f32_1xn__scalar(const float* x, const float* weight, const float* bias, float eps,
                                std::size_t n, float* out) {
  assert(n > 0);
  float sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i];
  const float mean = sum / static_cast<float>(n);
  float squares = 0;
  for (std::size_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
  const float inverse = 1 / std::sqrt(squares / static_cast<float>(n) + eps);
  for (std::size_t i = 0; i < n; ++i) out[i] = (x[i] - mean) * inverse * weight[i] + bias[i];
}

}  // namespace headlight::kernels
