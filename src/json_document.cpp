#include "json_document.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "decimal.h"
#include "text/utf8.h"
#include "throw_error.h"

namespace headlight {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDepth = 64;                    // published files need less than 10
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;  // published files have less than 40 MB

// Reads RFC 8259's grammar and builds the document as it goes; nesting is as deep as kMaxDepth.
class DocumentReader {
 public:
  DocumentReader(std::string_view text, const JsonRules& rules) : text_(text), rules_(rules) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  json document() {
    json root;
    value(root);
    skip_space();
    if (at_ != text_.size()) fail_syntax();
    return root;
  }

  [[noreturn]] void fail(const TextPiece& problem, std::optional<std::uint64_t> position = {}) const {
    throw_error(rules_.code, problem, {.file = rules_.file, .offset = position});
  }

 private:
  [[noreturn]] void fail_syntax() const {
    const std::size_t first = text_.find_first_not_of(" \t\r\n");
    const char* problem = "The file is not valid JSON";
    if (first == std::string_view::npos) {
      problem = "The file is empty";
    } else if (text_[first] == '<') {
      problem = "The file is a web page, not JSON";
    }
    fail(problem, at_);
  }

  bool is_diverted() const { return rules_.diversion && rules_.diversion->is_open(); }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail_syntax();
  }
  void expect(std::string_view word) {
    for (const char c : word) expect(c);
  }
  void skip_space() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') ++at_;
  }

  // False where the value is for the diversion, which then has it.
  bool value(json& value) {
    skip_space();
    switch (peek()) {
      case '{':
        return container(value, true);
      case '[':
        return container(value, false);
      case '"': {
        std::string text = string();
        if (is_diverted()) return rules_.diversion->string(text), false;
        value = std::move(text);
        return true;
      }
      case 't':
        expect("true");
        value = true;
        break;
      case 'f':
        expect("false");
        value = false;
        break;
      case 'n':
        expect("null");
        break;
      default:
        return number(value);
    }
    if (is_diverted()) rules_.diversion->refuse();
    return true;
  }

  bool container(json& value, bool is_object) {
    if (is_diverted()) {
      if (is_object) rules_.diversion->refuse();
      rules_.diversion->open_list();
    } else if (!rules_.diversion || !rules_.diversion->begin(keys_, is_object)) {
      value = is_object ? json::value_t::object : json::value_t::array;
      keys_.emplace_back();
    }
    const bool diverted = is_diverted();
    if (++depth_ > kMaxDepth) fail({"The file is nested more than ", kMaxDepth, " levels deep"});
    const char close = is_object ? '}' : ']';
    ++at_;
    skip_space();
    if (!take(close)) {
      do {
        if (is_object) read_key(value, diverted);
        json item;
        if (!this->value(item)) {
          // The diversion has it.
        } else if (is_object) {
          value[keys_.back()] = std::move(item);
        } else {
          value.push_back(std::move(item));
        }
        skip_space();
      } while (take(','));
      expect(close);
    }
    --depth_;
    diverted ? rules_.diversion->close() : keys_.pop_back();
    return !diverted;
  }

  void read_key(const json& object, bool diverted) {
    skip_space();
    std::string key = string();
    skip_space();
    expect(':');
    if (diverted) return rules_.diversion->key(key);
    if (rules_.unique_keys && object.contains(key)) {
      throw_error(rules_.code, "The key is there twice", {.file = rules_.file, .tensor = key});
    }
    keys_.back().swap(key);
  }

  std::string string() {
    expect('"');
    std::string result;
    for (;;) {
      const std::size_t begin = at_;
      unsigned char all = 0;
      for (; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\'; ++at_) {
        const auto byte = static_cast<unsigned char>(text_[at_]);
        if (byte < 0x20) fail_syntax();
        all |= byte;
      }
      const std::string_view run = text_.substr(begin, at_ - begin);
      if (const auto invalid = all < 0x80 ? std::nullopt : find_invalid_utf8(run)) {
        at_ = begin + *invalid;
        fail_syntax();
      }
      result += run;
      if (take('"')) return result;
      expect('\\');
      constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
      const std::size_t letter = letters.find(peek());
      if (letter != std::string_view::npos) {
        ++at_;
        result += meanings[letter];
      } else {
        append_utf8(result, escaped_code_point());
      }
    }
  }

  char32_t escaped_code_point() {
    const char32_t unit = escaped_unit();
    if (unit < 0xD800 || unit > 0xDFFF) return unit;
    if (unit > 0xDBFF) fail_syntax();
    expect('\\');
    const char32_t low = escaped_unit();
    if (low < 0xDC00 || low > 0xDFFF) fail_syntax();
    return 0x10000 + ((unit - 0xD800) << 10 | (low - 0xDC00));
  }

  char32_t escaped_unit() {
    expect('u');
    char32_t unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const char letter = static_cast<char>(c | 0x20);
      const bool digit = c >= '0' && c <= '9';
      if (!digit && (letter < 'a' || letter > 'f')) fail_syntax();
      unit = unit << 4 | static_cast<char32_t>(digit ? c - '0' : letter - 'a' + 10);
    }
    return unit;
  }

  // At least one.
  void skip_digits() {
    if (peek() < '0' || peek() > '9') fail_syntax();
    while (peek() >= '0' && peek() <= '9') ++at_;
  }

  bool number(json& value) {
    const std::size_t begin = at_;
    const bool negative = take('-');
    const std::size_t first = at_;
    if (!take('0')) skip_digits();
    const std::string_view digits = text_.substr(first, at_ - first);
    const bool whole = peek() != '.' && peek() != 'e' && peek() != 'E';
    if (take('.')) skip_digits();
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      skip_digits();
    }
    // Whole numbers past 64 bits are read as others.
    const std::uint64_t most = negative ? std::uint64_t{1} << 63 : std::numeric_limits<std::uint64_t>::max();
    std::uint64_t size = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (whole && error == std::errc() && size <= most) {
      if (!negative) {
        if (is_diverted()) return rules_.diversion->unsigned_number(size), false;
        value = size;
        return true;
      }
      value = static_cast<std::int64_t>(0 - size);
      if (is_diverted()) return rules_.diversion->number(-static_cast<double>(size)), false;
      return true;
    }
    const double result = parse_decimal(text_.substr(begin, at_ - begin));
    if (!std::isfinite(result)) fail_syntax();
    if (is_diverted()) return rules_.diversion->number(result), false;
    value = result;
    return true;
  }

  std::string_view text_;
  const JsonRules& rules_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;          // containers around the next value
  std::vector<std::string> keys_;  // the last key in each that is no diverted one
};

}  // namespace

json parse_json(std::string_view text, const JsonRules& rules) {
  DocumentReader reader(text, rules);
  if (text.size() > kMaxBytes) reader.fail({"The file has more than ", kMaxBytes, " bytes"});
  return reader.document();
}

}  // namespace headlight
