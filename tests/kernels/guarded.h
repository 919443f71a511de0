// Float memory with guards on both sides, at an address of the test's choice.
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

namespace headlight::test {

class Guarded {
 public:
  // n floats, `shift` floats past where an allocation starts: 1, 2 and 3 are no multiples of 16 bytes.
  explicit Guarded(std::size_t n, std::size_t shift = 0)
      : memory_(kGuard + shift + n + kGuard, kPattern), n_(n) {
    start_ = kGuard + shift;
  }

  Guarded& fill(std::mt19937& random, float low = -2, float high = 2) {
    std::uniform_real_distribution<float> distribution(low, high);
    for (float& value : values()) value = distribution(random);
    return *this;
  }

  std::span<float> values() { return {memory_.data() + start_, n_}; }
  float* data() { return memory_.data() + start_; }

  bool intact() const {
    const auto untouched = [](float value) { return value == kPattern; };
    const auto begin = memory_.begin() + static_cast<std::ptrdiff_t>(start_);
    return std::all_of(memory_.begin(), begin, untouched) &&
           std::all_of(begin + static_cast<std::ptrdiff_t>(n_), memory_.end(), untouched);
  }

 private:
  static constexpr std::size_t kGuard = 16;
  static constexpr float kPattern = -12345.5f;

  std::vector<float> memory_;
  std::size_t n_;
  std::size_t start_;
};

}  // namespace headlight::test
