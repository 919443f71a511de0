#include "text/packed_table.h"

namespace headlight::unicode {

std::uint8_t PackedTable::byte() {
  const std::uint8_t byte = bytes_.front();
  bytes_ = bytes_.subspan(1);
  return byte;
}

std::uint32_t PackedTable::number() {
  std::uint32_t value = 0;
  for (int shift = 0;; shift += 7) {
    const std::uint32_t part = byte();
    value |= (part & 127U) << shift;
    if (part < 128) return value;
  }
}

PackedTable::Run PackedTable::run() {
  const std::uint8_t kind = byte();
  return {.kind = static_cast<std::uint8_t>(kind & 127U), .length = kind & 128U ? number() : 1};
}

std::string_view PackedTable::utf8(std::uint32_t code_points) {
  std::size_t size = 0;
  // By the lead bytes: what follows a text may look like a continuation byte.
  for (; code_points > 0; --code_points) {
    const std::uint8_t lead = bytes_[size];
    size += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes_.data()), size);
  bytes_ = bytes_.subspan(size);
  return text;
}

}  // namespace headlight::unicode
