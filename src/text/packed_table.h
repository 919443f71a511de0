// A generated table (scripts/unicode), packed: read once and spread out for look-ups.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace headlight::unicode {

class PackedTable {
 public:
  explicit PackedTable(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }
  std::uint8_t byte();
  std::uint32_t number();  // seven bits a byte, the lowest first
  std::string_view utf8(std::uint32_t code_points);

  // Neighbours of one kind: the kind's index in a byte and, where 128 is added to it, their number.
  struct Run {
    std::uint8_t kind;
    std::uint32_t length;
  };
  Run run();

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace headlight::unicode
