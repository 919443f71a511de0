#include "ops/rotary.h"

#include "ops/angle.h"

namespace headlight {

Rotary::Rotary(std::size_t head_size, std::size_t max_positions, double theta, Pairs pairs)
    : head_size_(head_size), pairs_(pairs), turns_(max_positions * head_size) {
  const std::size_t half = head_size / 2;
  for (std::size_t k = 0; k < half; ++k) {
    const double frequency = power(theta, -2.0 * static_cast<double>(k) / static_cast<double>(head_size));
    for (std::size_t position = 0; position < max_positions; ++position) {
      const auto [cos, sin] = cos_sin(static_cast<double>(position) * frequency);
      turns_[(position * half + k) * 2] = static_cast<float>(cos);
      turns_[(position * half + k) * 2 + 1] = static_cast<float>(sin);
    }
  }
}

void Rotary::turn(std::size_t position, std::size_t size, float* row, float direction) const {
  const std::size_t half = head_size_ / 2;
  const float* turns = turns_.data() + position * head_size_;
  const std::size_t step = pairs_ == Pairs::interleaved ? 2 : 1;
  const std::size_t partner = pairs_ == Pairs::interleaved ? 1 : half;
  for (const float* const end = row + size; row != end; row += head_size_) {
    for (std::size_t k = 0; k < half; ++k) {
      float& x = row[k * step];
      float& y = row[k * step + partner];
      const float cos = turns[2 * k], sin = direction * turns[2 * k + 1];
      const float turned = x * cos - y * sin;
      y = y * cos + x * sin;
      x = turned;
    }
  }
}

}  // namespace headlight
