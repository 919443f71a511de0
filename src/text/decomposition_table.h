#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::unicode {

// Code points and their full decompositions, out of a generated table: runs of neighbours, each its gap, its count and
// its entries. 0 n: the next n targets after the last one's; 1: the same target again; n + 1: n code points in UTF-8; from
// 128 on: with the next byte 15 bits, a target from U+4E00 on.
class DecompositionTable {
 public:
  explicit DecompositionTable(std::span<const std::uint8_t> packed);

  std::u32string_view find(char32_t code_point) const;  // empty where the code point has none

 private:
  struct Entry {
    char32_t code_point;
    std::uint16_t start, length;
  };

  void add(char32_t code_point, std::u32string_view text);

  std::vector<Entry> entries_;
  std::u32string texts_;
};

}  // namespace headlight::unicode
