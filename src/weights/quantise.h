// The rounding of int8 weights, the same in a pack and while a float checkpoint streams (docs/format.md).
#pragma once

#include <cstddef>
#include <span>

namespace headlight {

// Whether a tensor of this shape is kept as int8: a matrix that is large enough to be worth its rounding.
bool is_quantisable(std::span<const std::size_t> shape);

// codes [columns]: whole numbers from -127 to 127; returns the row's scale, so that row = codes * scale. `codes` may be
// `row`. A row that is not finite gives a scale that is not finite.
float quantise_row(std::span<const float> row, std::span<float> codes);

}  // namespace headlight
