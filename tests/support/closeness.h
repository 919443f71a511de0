// Comparisons that say by how much and where they fail.
#pragma once

#include <span>
#include <string>

#include "headlight.h"

namespace headlight::test {

// Greatest absolute difference; infinite where sizes differ or just one side is NaN.
double greatest_difference(std::span<const float> actual, std::span<const float> expected);

// Greatest absolute value, at least 1: what the goldens' relative tolerances are multiplied by.
double scale_of(std::span<const float> values);

// Catch2 checks that the shapes are equal and no element differs by more than the tolerance. With Catch2's -s
// the greatest differences are printed.
void check_close(const std::string& what, const Tensor& actual, const Tensor& expected, double tolerance);

// The tensor without the entries of these axes where mask is 0.
Tensor without_padding(const Tensor& tensor, std::span<const std::int32_t> mask,
                       std::span<const std::size_t> axes);

}  // namespace headlight::test
