// JSON text as a document, read in one place: every reader that nlohmann/json is asked for is more code to download.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "headlight.h"

namespace headlight {

// Takes lists too long to be JSON values out of a document, event by event.
class JsonDiversion {
 public:
  virtual ~JsonDiversion() = default;
  virtual bool is_open() const = 0;  // the events up to its end are for this one
  // Whether the list or object that begins under these keys, the document's outermost first, is for this one.
  virtual bool begin(std::span<const std::string> keys, bool is_object) = 0;
  virtual void key(std::string& key) = 0;
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
nlohmann::json parse_json(std::string_view text, const JsonRules& rules);

}  // namespace headlight
