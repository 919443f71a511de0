#include "text/unicode.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "text/utf8.h"

namespace headlight::unicode {

namespace {

struct LowercaseRange {
  char32_t first;
  std::int32_t distance;
};

struct DecompositionRange {
  char32_t first;
  std::uint16_t count, index;
};

struct CombiningRange {
  char32_t first;
  std::uint8_t count, combining_class;
};

#include "text/unicode_tables.inc"

// The last range that does not begin after the code point; null when all do.
template <typename Range, std::size_t n>
const Range* range_at(const Range (&ranges)[n], char32_t code_point) {
  const auto after = std::upper_bound(std::begin(ranges), std::end(ranges), code_point,
                                      [](char32_t c, const Range& range) { return c < range.first; });
  return after == std::begin(ranges) ? nullptr : std::prev(after);
}

// Hangul syllables decompose by arithmetic (The Unicode Standard, section 3.12).
constexpr char32_t syllable_base = 0xAC00, leading_base = 0x1100, vowel_base = 0x1161, trailing_base = 0x11A7;
constexpr char32_t vowel_count = 21, trailing_count = 28, syllable_count = 19 * vowel_count * trailing_count;

void append_hangul_decomposition(char32_t syllable, std::u32string& text) {
  text.push_back(leading_base + syllable / (vowel_count * trailing_count));
  text.push_back(vowel_base + syllable / trailing_count % vowel_count);
  if (syllable % trailing_count != 0) text.push_back(trailing_base + syllable % trailing_count);
}

}  // namespace

std::uint8_t properties(char32_t code_point) {
  const std::size_t middle = property_top[code_point >> (leaf_shift + middle_shift)];
  const std::size_t in_middle = code_point >> leaf_shift & ((1U << middle_shift) - 1);
  const std::size_t leaf = property_middle[middle << middle_shift | in_middle];
  return property_leaf[leaf << leaf_shift | (code_point & ((1U << leaf_shift) - 1))];
}

void append_lowercase(char32_t code_point, std::u32string& text) {
  if (!has(code_point, has_lowercase)) {
    text.push_back(code_point);
  } else if (code_point == long_lowercase) {
    text.append(std::begin(long_lowercase_text), std::end(long_lowercase_text));
  } else {
    const LowercaseRange& range = *range_at(lowercase_ranges, code_point);
    text.push_back(static_cast<char32_t>(static_cast<std::int32_t>(code_point) + range.distance));
  }
}

void append_decomposition(char32_t code_point, std::u32string& text) {
  if (code_point - syllable_base < syllable_count) {
    append_hangul_decomposition(code_point - syllable_base, text);
    return;
  }
  if (has(code_point, decomposes)) {
    const DecompositionRange* range = range_at(decomposition_ranges, code_point);
    if (range != nullptr && code_point - range->first < range->count) {
      const std::uint16_t* start = &decomposition_starts[range->index + (code_point - range->first)];
      const auto* utf8 = reinterpret_cast<const char*>(decomposition_text);
      text += decode_utf8(std::string_view(utf8 + start[0], start[1] - start[0]));
      return;
    }
  }
  text.push_back(code_point);
}

std::uint8_t combining_class(char32_t code_point) {
  if (!has(code_point, decomposes)) return 0;
  const CombiningRange* range = range_at(combining_ranges, code_point);
  return range != nullptr && code_point - range->first < range->count ? range->combining_class : 0;
}

}  // namespace headlight::unicode
