#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/kernels.h"

namespace headlight::kernels {

void softmax_f32_1xn__scalar(float* x, std::size_t n, float scale) {
  assert(n > 0 && scale > 0);
  const float max = *std::max_element(x, x + n) * scale;
  float sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = std::exp(x[i] * scale - max);
    sum += x[i];
  }
  for (std::size_t i = 0; i < n; ++i) x[i] /= sum;
}

}  // namespace headlight::kernels
