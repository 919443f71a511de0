// Trigonometry of tables of positions: the C library's reduces arguments of any size, in several kilobytes.
#pragma once

namespace headlight {

struct CosSin {
  double cos, sin;
};

// Of an angle in radians from 0 to 2^24, off by less than 1e-8 at the far end and by rounding up to 10^6.
CosSin cos_sin(double angle);

// base^exponent for a base above 0, off by a few units in the last of fifteen digits.
double power(double base, double exponent);

}  // namespace headlight
