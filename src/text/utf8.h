#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

constexpr char32_t replacement_character = 0xFFFD;

// The code points of UTF-8 text. Each maximal part of an invalid sequence becomes one U+FFFD, as in the
// decoder of the WHATWG Encoding Standard; surrogates and overlong forms are invalid.
std::u32string decode_utf8(std::string_view text);

// Byte offset of the first invalid sequence.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// code_point must be a scalar value: at most U+10FFFF and no surrogate.
void append_utf8(std::string& text, char32_t code_point);
std::string encode_utf8(std::u32string_view code_points);

// Whether a byte of valid UTF-8 begins a code point.
constexpr bool begins_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

}  // namespace headlight
