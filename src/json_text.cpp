#include "json_text.h"

#include <cmath>

#include "concat.h"
#include "text/utf8.h"

namespace headlight {

// No value ends in one of these letters, a string ends in a quotation mark.
void JsonWriter::separate() {
  constexpr std::string_view openings = "{[:";
  if (!text_.empty() && openings.find(text_.back()) == std::string_view::npos) text_ += ',';
}

void JsonWriter::begin(char bracket) {
  separate();
  text_ += bracket;
}

void JsonWriter::literal(std::string_view value) {
  separate();
  text_ += value;
}

void JsonWriter::key(std::string_view key) {
  string(key);
  text_ += ':';
}

void JsonWriter::integer(std::int64_t value) {
  separate();
  TextPiece(value).append_to(text_);
}

void JsonWriter::natural(std::uint64_t value) {
  separate();
  TextPiece(value).append_to(text_);
}

void JsonWriter::number(double value) {
  if (!std::isfinite(value)) return null();
  char letters[32];
  const std::string_view text(letters, print_number(value, letters));
  literal(text);
  if (text.find_first_of(".e") == std::string_view::npos)
    text_ += ".0";  // not to be taken for a whole number
}

void JsonWriter::string(std::string_view value) {
  if (find_invalid_utf8(value)) return string(encode_utf8(decode_utf8(value)));
  begin('"');
  for (const char c : value) {
    constexpr std::string_view special = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
    if (const std::size_t i = special.find(c); i != std::string_view::npos) {
      text_ += '\\';
      text_ += letters[i];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text_ += c < 0x10 ? "\\u000" : "\\u001";
      text_ += "0123456789abcdef"[c & 15];
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

void JsonWriter::value(const Json& value) {
  switch (value.kind()) {
    case Json::Kind::null:
      return null();
    case Json::Kind::boolean:
      return boolean(value.boolean());
    case Json::Kind::integer:
      return integer(value.integer());
    case Json::Kind::natural:
      return natural(value.natural());
    case Json::Kind::real:
      return number(value.number());
    case Json::Kind::string:
      return string(value.text());
    case Json::Kind::array:
      begin_array();
      for (const Json& item : value.items()) this->value(item);
      return end_array();
    case Json::Kind::object:
      begin_object();
      for (const Json& member : value.items()) {
        key(member.key());
        this->value(member);
      }
      return end_object();
  }
}

std::string json_text(const Json& value) {
  std::string text;
  JsonWriter(text).value(value);
  return text;
}

}  // namespace headlight
