#include "decimal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace headlight {
namespace {

constexpr int kMostDigits =
    770;  // what lies halfway between doubles has no more; a 1 stands for all that follow
constexpr int kMostMagnitude = 330;  // powers of ten beyond which every number is infinite or zero
constexpr std::int64_t kFarExponent = std::int64_t{1}
                                      << 40;  // beyond what the digits of any text could make up for

// A whole number without sign, up to 10 to the power of kMostDigits + kMostMagnitude + 1 and then some bits.
class Whole {
 public:
  Whole(std::uint32_t value) : limbs_{value}, size_(value > 0) {}

  void multiply_add(std::uint32_t factor, std::uint32_t summand) {
    std::uint64_t carry = summand;
    for (int i = 0; i < size_; ++i) {
      carry += std::uint64_t{limbs_[i]} * factor;
      limbs_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry > 0) limbs_[size_++] = static_cast<std::uint32_t>(carry);
  }
  void raise(int exponent) {
    for (; exponent >= 9; exponent -= 9) multiply_add(1000000000, 0);
    for (; exponent > 0; --exponent) multiply_add(10, 0);
  }
  void shift_left(int bits) {
    const int limbs = bits / 32;
    std::copy_backward(limbs_, limbs_ + size_, limbs_ + size_ + limbs);
    std::fill(limbs_, limbs_ + limbs, 0);
    size_ += limbs;
    multiply_add(std::uint32_t{1} << bits % 32, 0);
  }
  void subtract(const Whole& other) {  // which is not greater
    std::int64_t borrow = 0;
    for (int i = 0; i < size_; ++i) {
      borrow += std::int64_t{limbs_[i]} - (i < other.size_ ? other.limbs_[i] : 0);
      limbs_[i] = static_cast<std::uint32_t>(borrow);
      borrow >>= 32;
    }
    while (size_ > 0 && limbs_[size_ - 1] == 0) --size_;
  }
  int compare(const Whole& other) const {
    if (size_ != other.size_) return size_ - other.size_;
    for (int i = size_; i-- > 0;) {
      if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i] ? -1 : 1;
    }
    return 0;
  }
  int bits() const {  // of a number that is not zero
    return size_ * 32 - std::countl_zero(limbs_[size_ - 1]);
  }

 private:
  std::uint32_t limbs_[(kMostDigits + kMostMagnitude) * 10 / 3 / 32 + 4];  // 10 has less than 10/3 bits
  int size_;
};

// dividend / divisor, neither of them zero: its bits one by one, as in written division.
double divide(Whole dividend, Whole divisor) {
  int exponent = dividend.bits() - divisor.bits();
  exponent > 0 ? divisor.shift_left(exponent) : dividend.shift_left(-exponent);
  if (dividend.compare(divisor) < 0) {
    dividend.shift_left(1);
    --exponent;
  }
  // Now 1 <= dividend / divisor < 2, times 2 to the power of the exponent. Small doubles have fewer bits.
  constexpr int smallest = std::numeric_limits<double>::min_exponent - 1;
  const int bits = std::min(std::numeric_limits<double>::digits,
                            std::numeric_limits<double>::digits - (smallest - exponent));
  if (bits < 0) return 0;
  std::uint64_t result = 0;
  for (int i = 0; i < bits; ++i) {
    result *= 2;
    if (dividend.compare(divisor) >= 0) {
      dividend.subtract(divisor);
      ++result;
    }
    dividend.shift_left(1);
  }
  const int rest = dividend.compare(divisor);  // of half the last bit
  if (rest > 0 || (rest == 0 && result % 2 == 1)) ++result;
  return std::ldexp(static_cast<double>(result), exponent - bits + 1);
}

}  // namespace

double parse_decimal(std::string_view number) {
  const double sign = number.front() == '-' ? -1 : 1;
  const std::size_t end = std::min(number.find_first_of("eE"), number.size());
  char digits[kMostDigits + 1];  // without zeros before them
  int count = 0;
  std::int64_t exponent = 0;  // of ten, by which the digits as a whole number are multiplied
  bool fraction = false, more = false;
  for (const char c : number.substr(0, end)) {
    if (c == '.') {
      fraction = true;
    } else if (c != '-' && count == kMostDigits) {
      more = more || c != '0';
      exponent += !fraction;
    } else if (c != '-') {
      exponent -= fraction;
      if (count > 0 || c != '0') digits[count++] = c;
    }
  }
  if (count == 0) return sign * 0.0;
  if (more) {
    digits[count++] = '1';
    --exponent;
  }
  if (end < number.size()) {
    std::int64_t given = 0;
    for (const char c : number.substr(end + 1)) {
      if (c >= '0' && c <= '9') given = std::min<std::int64_t>(given * 10 + (c - '0'), kFarExponent);
    }
    exponent += number[end + 1] == '-' ? -given : given;
  }
  if (exponent + count > kMostMagnitude) return sign * std::numeric_limits<double>::infinity();
  if (exponent + count < -kMostMagnitude) return sign * 0.0;
  const int power = static_cast<int>(exponent);

  // Where the digits and the power of ten are doubles themselves, one operation rounds as it should.
  constexpr int exact_digits = 15, exact_power = 22;
  if (count <= exact_digits && std::abs(power) <= exact_power) {
    double whole = 0, scale = 1;
    for (int i = 0; i < count; ++i) whole = whole * 10 + (digits[i] - '0');
    for (int i = 0; i < std::abs(power); ++i) scale *= 10;
    return sign * (power < 0 ? whole / scale : whole * scale);
  }
  Whole dividend(0), divisor(1);
  for (int i = 0; i < count; ++i) dividend.multiply_add(10, static_cast<std::uint32_t>(digits[i] - '0'));
  (power > 0 ? dividend : divisor).raise(std::abs(power));
  return sign * divide(dividend, divisor);
}

}  // namespace headlight
