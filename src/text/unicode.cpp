#include "text/unicode.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "text/decomposition_table.h"
#include "text/packed_table.h"

namespace headlight::unicode {

namespace {

#include "text/unicode_tables.inc"

// Bits of Property by code point: blocks, those of one kind all through once a kind.
class PropertyTable {
 public:
  PropertyTable() {
    for (const std::uint8_t kind : property_kinds) properties_.insert(properties_.end(), block_size, kind);
    char32_t first = 0;
    for (PackedTable table(property_stream); !table.at_end();) {
      const auto [kind, length] = table.run();
      const char32_t end = first + length;
      while (first < end) {
        const bool begins = first % block_size == 0;
        if (begins) {
          blocks_[first / block_size] =
              end - first >= block_size ? kind : static_cast<std::uint16_t>(properties_.size() / block_size);
        }
        const char32_t next = std::min<char32_t>(end, (first / block_size + 1) * block_size);
        if (!begins || next - first < block_size) {
          if (begins) properties_.resize(properties_.size() + block_size);
          std::fill_n(properties_.begin() + static_cast<std::ptrdiff_t>(index(first)), next - first,
                      property_kinds[kind]);
        }
        first = next;
      }
    }
  }

  std::uint8_t operator[](char32_t code_point) const { return properties_[index(code_point)]; }

 private:
  static constexpr std::size_t block_size = 128;

  std::size_t index(char32_t code_point) const {
    return blocks_[code_point / block_size] * block_size + code_point % block_size;
  }

  std::vector<std::uint8_t> properties_;
  std::array<std::uint16_t, 0x110000 / block_size> blocks_{};
};

// Code points from first on, before the first of the next range, and what is told of them.
struct Range {
  char32_t first, count;
  std::int32_t value;
};

// The last range that does not begin after the code point; null when all do.
const Range* range_at(const std::vector<Range>& ranges, char32_t code_point) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), code_point,
                                      [](char32_t c, const Range& range) { return c < range.first; });
  return after == ranges.begin() ? nullptr : &*std::prev(after);
}

std::vector<Range> read_ranges(std::span<const std::uint8_t> packed) {
  std::vector<Range> ranges;
  char32_t next = 0;
  for (PackedTable table(packed); !table.at_end();) {
    const char32_t first = next + table.number();
    next = first + table.number();
    const std::uint32_t value = table.number();
    const auto half = static_cast<std::int32_t>(value / 2);
    ranges.push_back({first, next - first, value % 2 == 0 ? half : -half});
  }
  return ranges;
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
  static const PropertyTable table;
  return table[code_point];
}

void append_lowercase(char32_t code_point, std::u32string& text) {
  if (!has(code_point, has_lowercase)) {
    text.push_back(code_point);
  } else if (code_point == long_lowercase) {
    text.append(std::begin(long_lowercase_text), std::end(long_lowercase_text));
  } else {
    static const std::vector<Range> ranges = read_ranges(lowercase_stream);
    text.push_back(code_point + static_cast<char32_t>(range_at(ranges, code_point)->value));
  }
}

void append_decomposition(char32_t code_point, std::u32string& text) {
  if (code_point - syllable_base < syllable_count) {
    append_hangul_decomposition(code_point - syllable_base, text);
    return;
  }
  if (has(code_point, decomposes)) {
    static const DecompositionTable table(decomposition_stream);
    if (const std::u32string_view found = table.find(code_point); !found.empty()) {
      text += found;
      return;
    }
  }
  text.push_back(code_point);
}

std::uint8_t combining_class(char32_t code_point) {
  if (!has(code_point, decomposes)) return 0;
  static const std::vector<Range> ranges = read_ranges(combining_stream);
  const Range* range = range_at(ranges, code_point);
  const bool found = range != nullptr && code_point - range->first < range->count;
  return found ? static_cast<std::uint8_t>(range->value) : 0;
}

}  // namespace headlight::unicode
