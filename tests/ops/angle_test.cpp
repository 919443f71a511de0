#include "ops/angle.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

namespace headlight::test {

TEST_CASE("sines, cosines and powers are the C library's") {
  double worst_turn = 0, worst_far = 0, worst_power = 0;
  for (int i = 0; i < 200000; ++i) {
    const double near = i * 5.0001, far = i * 83.7;
    worst_turn = std::max({worst_turn, std::abs(cos_sin(near).cos - std::cos(near)),
                           std::abs(cos_sin(near).sin - std::sin(near))});
    worst_far = std::max(
        {worst_far, std::abs(cos_sin(far).cos - std::cos(far)), std::abs(cos_sin(far).sin - std::sin(far))});
    const double base = 1 + i * 37.5, exponent = -2.0 * (i % 64) / 128;
    worst_power = std::max(worst_power, std::abs(power(base, exponent) / std::pow(base, exponent) - 1));
  }
  CHECK(worst_turn < 1e-15);
  CHECK(worst_far < 1e-8);
  CHECK(worst_power < 1e-14);
}

}  // namespace headlight::test
