#include "text/utf8.h"

namespace headlight {

namespace {

struct Decoded {
  char32_t code_point;
  std::size_t length;  // bytes
  bool valid;
};

// Decodes what begins at text[at]; at < text.size().
Decoded decode_one(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};

  // What the second byte may be excludes overlong forms, surrogates and code points past U+10FFFF.
  std::size_t continuations = 0;
  unsigned char second_min = 0x80, second_max = 0xBF;
  char32_t code_point = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    continuations = 1;
    code_point = lead & 0x1F;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    continuations = 2;
    code_point = lead & 0x0F;
    if (lead == 0xE0) second_min = 0xA0;
    if (lead == 0xED) second_max = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    continuations = 3;
    code_point = lead & 0x07;
    if (lead == 0xF0) second_min = 0x90;
    if (lead == 0xF4) second_max = 0x8F;
  } else {
    return {replacement_character, 1, false};
  }
  for (std::size_t i = 1; i <= continuations; ++i) {
    const unsigned char min = i == 1 ? second_min : 0x80, max = i == 1 ? second_max : 0xBF;
    if (at + i == text.size() || byte(at + i) < min || byte(at + i) > max) {
      return {replacement_character, i, false};
    }
    code_point = code_point << 6 | (byte(at + i) & 0x3F);
  }
  return {code_point, continuations + 1, true};
}

}  // namespace

std::u32string decode_utf8(std::string_view text) {
  std::u32string code_points;
  code_points.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_one(text, at);
    code_points.push_back(decoded.code_point);
    at += decoded.length;
  }
  return code_points;
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_one(text, at);
    if (!decoded.valid) return at;
    at += decoded.length;
  }
  return std::nullopt;
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto append = [&text](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    append(code_point);
  } else if (code_point < 0x800) {
    append(0xC0 | code_point >> 6);
    append(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    append(0xE0 | code_point >> 12);
    append(0x80 | (code_point >> 6 & 0x3F));
    append(0x80 | (code_point & 0x3F));
  } else {
    append(0xF0 | code_point >> 18);
    append(0x80 | (code_point >> 12 & 0x3F));
    append(0x80 | (code_point >> 6 & 0x3F));
    append(0x80 | (code_point & 0x3F));
  }
}

std::string encode_utf8(std::u32string_view code_points) {
  std::string text;
  text.reserve(code_points.size());
  for (const char32_t code_point : code_points) append_utf8(text, code_point);
  return text;
}

}  // namespace headlight
