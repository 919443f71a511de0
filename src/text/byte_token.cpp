#include "text/byte_token.h"

namespace headlight {

namespace {

constexpr std::string_view digits = "0123456789ABCDEF";

int value_of(char digit) {
  if (digit >= 'a' && digit <= 'f') digit -= 'a' - 'A';
  const std::size_t value = digits.find(digit);
  return value == std::string_view::npos ? -1 : static_cast<int>(value);
}

}  // namespace

std::string byte_token(unsigned char byte) {
  return {'<', '0', 'x', digits[byte >> 4], digits[byte & 15], '>'};
}

std::optional<unsigned char> byte_of_token(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return std::nullopt;
  const int high = value_of(token[3]), low = value_of(token[4]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<unsigned char>(high << 4 | low);
}

}  // namespace headlight
