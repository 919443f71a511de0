#include "tasks/pooling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

void pool(std::string_view mode, std::span<const float> rows, std::size_t size, std::size_t skipped,
          std::vector<float>& out) {
  const std::size_t n = rows.size() / size;
  skipped = std::min(skipped, n - 1);
  const auto append = [&](std::size_t row) {
    out.insert(out.end(), rows.begin() + static_cast<std::ptrdiff_t>(row * size),
               rows.begin() + static_cast<std::ptrdiff_t>((row + 1) * size));
  };
  if (mode == "cls") return append(0);
  if (mode == "lasttoken") return append(n - 1);
  const bool weighted = mode == "weightedmean";
  for (std::size_t c = 0; c < size; ++c) {
    double sum = 0, weights = 0;
    float greatest = -std::numeric_limits<float>::infinity();
    for (std::size_t i = skipped; i < n; ++i) {
      const double weight = weighted ? static_cast<double>(i + 1) : 1;
      sum += weight * rows[i * size + c];
      weights += weight;
      greatest = std::max(greatest, rows[i * size + c]);
    }
    if (mode == "mean_sqrt_len_tokens") weights = std::sqrt(weights);
    out.push_back(mode == "max" ? greatest : static_cast<float>(sum / weights));
  }
}

void normalize(std::span<float> vector) {
  double squares = 0;
  for (const double value : vector) squares += value * value;
  if (!(squares > 0)) return;
  const double length = std::sqrt(squares);
  for (float& value : vector) value = static_cast<float>(value / length);
}

}  // namespace headlight
