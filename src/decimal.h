#pragma once

#include <string_view>

namespace headlight {

// The double nearest to a number as JSON writes them, "-12.5e-3", of two equally near the even one; infinite past the
// largest. What it was asked is no number: undefined. The C library's strtod would bring arithmetic of 128 bits along.
double parse_decimal(std::string_view number);

}  // namespace headlight
