#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/kernels.h"

namespace headlight::kernels {

float s16_limit(std::size_t k) {
  return std::min(4095.0f, std::floor(2147483647.0f / (127.0f * static_cast<float>(k + 1))));
}

RowQuantisation quantise_s16_1xn__scalar(const float* x, std::size_t k, std::byte* codes) {
  float largest = 0;
  for (std::size_t p = 0; p < k; ++p) largest = std::max(largest, std::abs(x[p]));
  const float limit = s16_limit(k);
  const float inverse = largest > 0 ? limit / largest : 0;
  auto* out = reinterpret_cast<std::int16_t*>(codes);
  for (std::size_t p = 0; p < k; ++p) out[p] = static_cast<std::int16_t>(std::nearbyint(x[p] * inverse));
  if (k % kS16Group != 0) out[k] = 0;
  return {.scale = largest / limit, .zero = 0};
}

}  // namespace headlight::kernels
