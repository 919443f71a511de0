// Writing JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "json_document.h"

namespace headlight {

// Appends JSON to a text, without spaces: the caller says what comes, commas are put between by themselves.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& text) : text_(text) {}

  void begin_object() { begin('{'); }
  void end_object() { text_ += '}'; }
  void begin_array() { begin('['); }
  void end_array() { text_ += ']'; }
  void key(std::string_view key);  // before each member of an object

  void null() { literal("null"); }
  void boolean(bool value) { literal(value ? "true" : "false"); }
  void integer(std::int64_t value);
  void natural(std::uint64_t value);
  void number(double value);            // null where it is not finite
  void string(std::string_view value);  // invalid UTF-8 becomes U+FFFD
  void value(const Json& value);

 private:
  void separate();
  void begin(char bracket);
  void literal(std::string_view value);

  std::string& text_;
};

// Digits that read as this finite number, in the spelling of the platform: 1e+20 or 100000000000000000000. Returns how many
// letters were written.
std::size_t print_number(double value, char (&letters)[32]);

// A value as it is shown in messages.
std::string json_text(const Json& value);

}  // namespace headlight
