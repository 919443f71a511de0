#include "json_text.h"

#include <cmath>
#include <iterator>
#include <string_view>

#include "concat.h"
#include "text/utf8.h"

namespace headlight {
namespace {

using nlohmann::json;

void append_string(std::string& text, const std::string& value) {
  if (find_invalid_utf8(value)) return append_string(text, encode_utf8(decode_utf8(value)));
  text += '"';
  for (const char c : value) {
    constexpr std::string_view plain = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
    if (const std::size_t i = plain.find(c); i != std::string_view::npos) {
      text += '\\';
      text += letters[i];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text += c < 0x10 ? "\\u000" : "\\u001";
      text += "0123456789abcdef"[c & 15];
    } else {
      text += c;
    }
  }
  text += '"';
}

void append_number(std::string& text, double value) {
  char digits[32];
  const std::string_view number(digits, nlohmann::detail::to_chars(digits, std::end(digits), value) - digits);
  text += number;
}

void append(std::string& text, const json& value) {
  switch (value.type()) {
    case json::value_t::object: {
      char before = '{';
      for (const auto& [key, member] : value.get_ref<const json::object_t&>()) {
        text += before;
        append_string(text, key);
        text += ':';
        append(text, member);
        before = ',';
      }
      text += before == '{' ? "{}" : "}";
      break;
    }
    case json::value_t::array: {
      char before = '[';
      for (const json& item : value.get_ref<const json::array_t&>()) {
        text += before;
        append(text, item);
        before = ',';
      }
      text += before == '[' ? "[]" : "]";
      break;
    }
    case json::value_t::string:
      append_string(text, value.get_ref<const std::string&>());
      break;
    case json::value_t::boolean:
      text += value.get<bool>() ? "true" : "false";
      break;
    case json::value_t::number_integer:
      TextPiece(value.get<std::int64_t>()).append_to(text);
      break;
    case json::value_t::number_unsigned:
      TextPiece(value.get<std::uint64_t>()).append_to(text);
      break;
    case json::value_t::number_float:
      if (const double number = value.get<double>(); std::isfinite(number)) {
        append_number(text, number);
        break;
      }
      [[fallthrough]];
    default:
      text += "null";
  }
}

}  // namespace

std::string json_text(const json& value) {
  std::string text;
  append(text, value);
  return text;
}

}  // namespace headlight
