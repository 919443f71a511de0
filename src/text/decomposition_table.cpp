#include "text/decomposition_table.h"

#include <algorithm>

#include "text/packed_table.h"
#include "text/utf8.h"

namespace headlight::unicode {

DecompositionTable::DecompositionTable(std::span<const std::uint8_t> packed) {
  PackedTable table(packed);
  char32_t code_point = 0, target = 0;
  while (!table.at_end()) {
    code_point += table.number();
    for (const char32_t end = code_point + table.number(); code_point < end;) {
      const std::uint32_t kind = table.byte();
      if (kind == 0) {
        for (std::uint32_t count = table.number(); count > 0; --count) add(code_point++, {&++target, 1});
      } else if (kind == 1) {
        add(code_point++, {&target, 1});
      } else if (kind >= 128) {
        target = 0x4E00 + ((kind & 127U) << 8) + table.byte();
        add(code_point++, {&target, 1});
      } else {
        const std::u32string text = decode_utf8(table.utf8(kind - 1));
        if (text.size() == 1) target = text[0];
        add(code_point++, text);
      }
    }
  }
}

std::u32string_view DecompositionTable::find(char32_t code_point) const {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), code_point,
                                      [](const Entry& entry, char32_t c) { return entry.code_point < c; });
  if (found == entries_.end() || found->code_point != code_point) return {};
  return std::u32string_view(texts_).substr(found->start, found->length);
}

void DecompositionTable::add(char32_t code_point, std::u32string_view text) {
  entries_.push_back(
      {code_point, static_cast<std::uint16_t>(texts_.size()), static_cast<std::uint16_t>(text.size())});
  texts_ += text;
}

}  // namespace headlight::unicode
