#include "ops/angle.h"

#include <cmath>
#include <cstdint>

namespace headlight {
namespace {

// pi / 2 in two parts, the first of 33 bits: its product with a number below 2^20 is exact.
constexpr double kRightAngle = 0x1.921fb544p+0, kRest = 0x1.0b4611a626331p-34;

// The sum of 1 - x²/(n (n+1)) (1 - x²/((n+2) (n+3)) (1 - …)): Taylor's series of cos x for n = 1, of sin x / x for n = 2. Ten
// factors are enough for |x| up to pi / 4.
double series(double x, int n) {
  double sum = 1;
  for (int k = n + 18; k >= n; k -= 2) sum = 1 - x * x / (k * (k + 1)) * sum;
  return sum;
}

}  // namespace

CosSin cos_sin(double angle) {
  const auto quarters = static_cast<std::int32_t>(angle * (2 / 3.14159265358979323846) + 0.5);
  const double x = (angle - quarters * kRightAngle) - quarters * kRest;
  const double cos = series(x, 1), sin = x * series(x, 2);
  switch (quarters & 3) {
    case 0:
      return {cos, sin};
    case 1:
      return {-sin, cos};
    case 2:
      return {-cos, -sin};
    default:
      return {sin, -cos};
  }
}

// By log x = 2 atanh((x - 1) / (x + 1)) for the mantissa, from sqrt(1/2) to sqrt(2).
double power(double base, double exponent) {
  int twos = 0;
  double mantissa = std::frexp(base, &twos);
  if (mantissa < 0.70710678118654752440) {
    mantissa *= 2;
    --twos;
  }
  const double x = (mantissa - 1) / (mantissa + 1);
  double sum = 0;
  for (int k = 23; k > 0; k -= 2) sum = sum * x * x + 1.0 / k;
  return std::exp(exponent * (2 * x * sum + twos * 0.69314718055994530942));
}

}  // namespace headlight
