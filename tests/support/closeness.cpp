#include "support/closeness.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace headlight::test {

double greatest_difference(std::span<const float> actual, std::span<const float> expected) {
  if (actual.size() != expected.size()) return std::numeric_limits<double>::infinity();
  double greatest = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (std::isnan(actual[i]) != std::isnan(expected[i])) return std::numeric_limits<double>::infinity();
    if (actual[i] == expected[i] || std::isnan(actual[i])) continue;
    greatest = std::max(greatest, std::abs(static_cast<double>(actual[i]) - expected[i]));
  }
  return greatest;
}

double scale_of(std::span<const float> values) {
  double greatest = 1;
  for (const float value : values) greatest = std::max(greatest, std::abs(static_cast<double>(value)));
  return greatest;
}

void check_close(const std::string& what, const Tensor& actual, const Tensor& expected, double tolerance) {
  INFO(what);
  CHECK(actual.shape == expected.shape);
  CHECK(greatest_difference(actual.data, expected.data) <= tolerance);
}

Tensor without_padding(const Tensor& tensor, std::span<const std::int32_t> mask,
                       std::span<const std::size_t> axes) {
  Tensor result = tensor;
  for (const std::size_t axis : axes) {
    const Tensor source = std::move(result);
    if (source.shape.at(axis) != mask.size()) throw std::logic_error("the mask is not as long as the axis");
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; i < source.shape.size(); ++i) inner *= source.shape[i];
    result = {{}, source.shape};
    result.shape[axis] = static_cast<std::size_t>(std::count(mask.begin(), mask.end(), 1));
    for (std::size_t at = 0; at < source.data.size(); at += inner) {
      if (!mask[at / inner % mask.size()]) continue;
      const auto row = source.data.begin() + static_cast<std::ptrdiff_t>(at);
      result.data.insert(result.data.end(), row, row + static_cast<std::ptrdiff_t>(inner));
    }
  }
  return result;
}

}  // namespace headlight::test
