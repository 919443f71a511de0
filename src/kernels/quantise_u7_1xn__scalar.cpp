#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"

namespace headlight::kernels {

// The range always holds 0, so that the zero point is a code.
RowQuantisation quantise_u7_1xn__scalar(const float* x, std::size_t k, std::byte* codes) {
  const auto [least, greatest] = std::minmax_element(x, x + k);
  const float low = std::min(*least, 0.0f);
  const float range = std::max(*greatest, 0.0f) - low;
  const float inverse = range > 0 ? 127 / range : 0;
  const float zero = std::nearbyint(-low * inverse);
  for (std::size_t p = 0; p < k; ++p) {
    codes[p] = static_cast<std::byte>(std::clamp(std::nearbyint(x[p] * inverse) + zero, 0.0f, 127.0f));
  }
  for (std::size_t p = k; p % kU7Group != 0; ++p) codes[p] = std::byte{0};
  return {.scale = range / 127, .zero = static_cast<std::int32_t>(zero)};
}

}  // namespace headlight::kernels
