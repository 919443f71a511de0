#pragma once

#include <cstdint>
#include <optional>

namespace headlight {

// GPT-2's letters for bytes: printable characters of Latin-1 stand for themselves, the other bytes, in their
// order, are the code points from U+0100 on. So a space is U+0120 and a line feed U+010A.
char32_t letter_of_byte(std::uint8_t byte);
std::optional<std::uint8_t> byte_of_letter(char32_t letter);

}  // namespace headlight
