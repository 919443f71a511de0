#include "text/byte_alphabet.h"

namespace headlight {

namespace {

// Bytes 0 .. 0x20, 0x7F .. 0xA0 and 0xAD are not printed; their letters are in that order.
constexpr char32_t first_letter = 0x100, letters = 0x21 + 0x22 + 1;

}  // namespace

char32_t letter_of_byte(std::uint8_t byte) {
  if (byte <= 0x20) return first_letter + byte;
  if (byte >= 0x7F && byte <= 0xA0) return first_letter + 0x21 + (byte - 0x7F);
  return byte == 0xAD ? first_letter + letters - 1 : byte;
}

std::optional<std::uint8_t> byte_of_letter(char32_t letter) {
  if (letter < first_letter) {
    const auto byte = static_cast<std::uint8_t>(letter);
    return letter_of_byte(byte) == letter ? std::optional(byte) : std::nullopt;
  }
  const char32_t place = letter - first_letter;
  if (place >= letters) return std::nullopt;
  if (place <= 0x20) return static_cast<std::uint8_t>(place);
  return static_cast<std::uint8_t>(place == letters - 1 ? 0xAD : 0x7F + (place - 0x21));
}

}  // namespace headlight
