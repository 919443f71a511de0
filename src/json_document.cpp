#include "json_document.h"

#include <vector>

#include "throw_error.h"

namespace headlight {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDepth = 64;                    // published files need less than 10
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;  // published files have less than 40 MB

// Receives the parser's events and builds the document from them.
class DocumentBuilder {
 public:
  DocumentBuilder(std::string_view text, const JsonRules& rules) : text_(text), rules_(rules) {}

  json take() { return std::move(root_); }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool binary(json::binary_t&) { return true; }  // JSON text has none

  bool number_integer(json::number_integer_t value) {
    if (!is_diverted()) return add(value);
    rules_.diversion->number(static_cast<double>(value));
    return true;
  }
  bool number_unsigned(json::number_unsigned_t value) {
    if (!is_diverted()) return add(value);
    rules_.diversion->unsigned_number(value);
    return true;
  }
  bool number_float(json::number_float_t value, const std::string&) {
    if (!is_diverted()) return add(value);
    rules_.diversion->number(value);
    return true;
  }
  bool string(std::string& value) {
    if (!is_diverted()) return add(std::move(value));
    rules_.diversion->string(value);
    return true;
  }
  bool key(std::string& key) {
    if (is_diverted()) {
      rules_.diversion->key(key);
      return true;
    }
    if (rules_.unique_keys && open_.back()->contains(key)) {
      throw_error(rules_.code, "The key is there twice", {.file = rules_.file, .tensor = key});
    }
    keys_.back().swap(key);
    return true;
  }

  bool start_object(std::size_t) {
    if (is_diverted()) rules_.diversion->refuse();
    return diverts(true) || open(json::value_t::object);
  }
  bool start_array(std::size_t) {
    if (!is_diverted()) return diverts(false) || open(json::value_t::array);
    rules_.diversion->open_list();
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string&, const json::exception&) {
    const std::size_t first = text_.find_first_not_of(" \t\r\n");
    const char* problem = "The file is not valid JSON";
    if (first == std::string_view::npos) {
      problem = "The file is empty";
    } else if (text_[first] == '<') {
      problem = "The file is a web page, not JSON";
    }
    fail(problem, position);
  }

  [[noreturn]] void fail(const TextPiece& problem, std::optional<std::uint64_t> position = {}) const {
    throw_error(rules_.code, problem, {.file = rules_.file, .offset = position});
  }

 private:
  bool is_diverted() const { return rules_.diversion && rules_.diversion->is_open(); }
  bool diverts(bool is_object) { return rules_.diversion && rules_.diversion->begin(keys_, is_object); }

  bool add(json value) {
    if (is_diverted()) rules_.diversion->refuse();
    place(std::move(value));
    return true;
  }

  json& place(json value) {
    if (open_.empty()) return root_ = std::move(value);
    json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return parent.back();
    }
    return parent[keys_.back()] = std::move(value);
  }

  bool open(json::value_t kind) {
    if (open_.size() == kMaxDepth) fail({"The file is nested more than ", kMaxDepth, " levels deep"});
    open_.push_back(&place(kind));
    keys_.emplace_back();
    return true;
  }

  bool close() {
    if (is_diverted()) {
      rules_.diversion->close();
    } else {
      open_.pop_back();
      keys_.pop_back();
    }
    return true;
  }

  std::string_view text_;
  const JsonRules& rules_;
  json root_;
  std::vector<json*> open_;        // containers around the next value
  std::vector<std::string> keys_;  // parallel: the last key in each
};

}  // namespace

json parse_json(std::string_view text, const JsonRules& rules) {
  DocumentBuilder builder(text, rules);
  if (text.size() > kMaxBytes) builder.fail({"The file has more than ", kMaxBytes, " bytes"});
  json::sax_parse(text.data(), text.data() + text.size(), &builder);
  return builder.take();
}

}  // namespace headlight
