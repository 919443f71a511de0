// A JSON document as values that know no more than the readers of models and requests ask for. nlohmann/json's own values
// bring conversions, comparisons and errors for every use: a good part of a module that is downloaded.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headlight.h"

namespace headlight {

// A value, and the members or items in it. What a getter says of the kind is the caller's to check.
class Json {
 public:
  enum class Kind : std::uint8_t { null, boolean, integer, natural, real, string, array, object };

  bool is_null() const { return kind_ == Kind::null; }
  bool is_boolean() const { return kind_ == Kind::boolean; }
  bool is_integer() const { return kind_ == Kind::integer || kind_ == Kind::natural; }  // within 64 bits
  bool is_natural() const { return kind_ == Kind::natural; }  // an integer from 0 on
  bool is_number() const { return is_integer() || kind_ == Kind::real; }
  bool is_string() const { return kind_ == Kind::string; }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_object() const { return kind_ == Kind::object; }
  Kind kind() const { return kind_; }

  bool boolean() const { return natural_ != 0; }
  std::uint64_t natural() const { return natural_; }
  std::int64_t integer() const { return static_cast<std::int64_t>(natural_); }
  double number() const;
  const std::string& text() const { return text_; }

  // The items of an array in their order; the members of an object in the order of their keys' bytes.
  std::span<const Json> items() const { return items_; }
  const std::string& key() const { return key_; }  // of a member
  // The member of an object, the last one where the text has several; nullptr where there is none, as in all other values.
  const Json* find(std::string_view key) const;
  void erase(std::string_view key);

 private:
  friend class JsonBuilder;

  Kind kind_ = Kind::null;
  union {
    std::uint64_t natural_ = 0;  // boolean, integer, natural
    double real_;
  };
  std::string key_, text_;
  std::vector<Json> items_;
};

// Takes lists too long to be JSON values out of a document, event by event.
class JsonDiversion {
 public:
  virtual ~JsonDiversion() = default;
  virtual bool is_open() const = 0;  // the events up to its end are for this one
  // Whether the list or object that begins under these keys, the document's outermost first, is for this one.
  virtual bool begin(std::span<const std::string> keys, bool is_object) = 0;
  virtual void key(const std::string& key) = 0;
  virtual void unsigned_number(std::uint64_t value) = 0;
  virtual void number(double value) = 0;
  virtual void string(const std::string& value) = 0;
  virtual void open_list() = 0;
  virtual void close() = 0;
  [[noreturn]] virtual void refuse() const = 0;  // what is neither a number, a string nor a list
};

struct JsonRules {
  ErrorCode code;         // of a document that is none
  std::string_view file;  // that the error names
  JsonDiversion* diversion = nullptr;
  bool unique_keys = false;  // a key that an object has twice is refused
};

// Throws an Error by the rules for what is not JSON, for more than 64 levels and for more than 1 GB.
Json parse_json(std::string_view text, const JsonRules& rules);

}  // namespace headlight
