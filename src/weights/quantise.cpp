#include "weights/quantise.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr float kLargestCode = 127;        // symmetric: -128 is not used
constexpr std::size_t kMinDimension = 32;  // smaller matrices, as a classifier's, are kept

}  // namespace

bool is_quantisable(std::span<const std::size_t> shape) {
  return shape.size() == 2 && std::min(shape[0], shape[1]) >= kMinDimension;
}

float quantise_row(std::span<const float> row, std::span<float> codes) {
  float largest = 0;
  for (const float value : row) largest = std::isnan(value) ? value : std::max(largest, std::abs(value));
  const float scale = largest / kLargestCode;
  std::transform(row.begin(), row.end(), codes.begin(), [&](float value) {
    const float code = scale > 0 ? std::nearbyint(value / scale) : 0;
    return std::clamp(code, -kLargestCode, kLargestCode);
  });
  return scale;
}

}  // namespace headlight
