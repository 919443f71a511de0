#include "text/unicode_forms.h"
#include "heap_sort.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "text/decomposition_table.h"
#include "text/unicode.h"

namespace headlight::unicode {

namespace {

struct Exclusion {
  char32_t first;
  std::uint32_t count;
};

#include "text/unicode_forms.inc"

constexpr char32_t leading_base = 0x1100, vowel_base = 0x1161, trailing_base = 0x11A7, syllable_base = 0xAC00;
constexpr char32_t leading_count = 19, vowel_count = 21, trailing_count = 28,
                   syllable_count = leading_count * vowel_count * trailing_count;

constexpr std::size_t longest_canonical = 4;

// Pairs and their composites: the canonical decompositions, read backwards.
class CompositionTable {
 public:
  CompositionTable() {
    // A full decomposition is that of the first half and one code point more. Short ones come first, so that
    // the first half is known.
    std::u32string text;
    for (std::size_t size = 2; size <= longest_canonical; ++size) {
      const std::size_t known = pairs_.size();
      for (char32_t c = 0; c < 0x30000; ++c) {
        if (c - syllable_base < syllable_count || !has(c, decomposes) || excluded(c)) continue;
        text.clear();
        append_decomposition(c, text);
        if (text.size() != size) continue;
        char32_t first = text[0];
        for (std::size_t i = 1; i + 1 < size; ++i) first = find(first, text[i], known);
        pairs_.push_back({first, text.back(), c});
      }
      heap_sort(pairs_.begin(), pairs_.end(), before);
    }
  }

  char32_t find(char32_t first, char32_t second) const { return find(first, second, pairs_.size()); }

 private:
  struct Pair {
    char32_t first, second, composite;
  };
  // Among the first `count` pairs, which are sorted.
  char32_t find(char32_t first, char32_t second, std::size_t count) const {
    const auto end = pairs_.begin() + static_cast<std::ptrdiff_t>(count);
    const auto found = std::lower_bound(pairs_.begin(), end, Pair{first, second, 0}, before);
    return found != end && found->first == first && found->second == second ? found->composite : 0;
  }

  static bool before(const Pair& a, const Pair& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  }
  static bool excluded(char32_t c) {
    return std::any_of(std::begin(composition_exclusions), std::end(composition_exclusions),
                       [c](const Exclusion& range) { return c - range.first < range.count; });
  }

  std::vector<Pair> pairs_;
};

}  // namespace

void append_compatibility_decomposition(char32_t code_point, std::u32string& text) {
  static const DecompositionTable table(compatibility_stream);
  const std::u32string_view found = code_point < 0xA0 ? std::u32string_view() : table.find(code_point);
  found.empty() ? append_decomposition(code_point, text) : void(text += found);
}

char32_t compose(char32_t first, char32_t second) {
  if (first - leading_base < leading_count && second - vowel_base < vowel_count) {
    return syllable_base + ((first - leading_base) * vowel_count + (second - vowel_base)) * trailing_count;
  }
  if (first - syllable_base < syllable_count && (first - syllable_base) % trailing_count == 0 &&
      second - trailing_base - 1 < trailing_count - 1) {
    return first + (second - trailing_base);
  }
  static const CompositionTable table;
  return table.find(first, second);
}

}  // namespace headlight::unicode
