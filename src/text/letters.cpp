#include "text/letters.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace headlight::unicode {

namespace {

#include "text/letters.inc"

std::uint32_t kind(char32_t c) {
  const auto after = std::upper_bound(std::begin(letter_borders), std::end(letter_borders),
                                      static_cast<std::uint32_t>(c) << 2 | 3);
  return after == std::begin(letter_borders) ? 0 : *std::prev(after) & 3;
}

}  // namespace

bool is_letter(char32_t code_point) { return kind(code_point) == 1; }
bool is_number(char32_t code_point) { return kind(code_point) == 2; }

}  // namespace headlight::unicode
