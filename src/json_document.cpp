#include "json_document.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/detail/input/input_adapters.hpp>
#include <nlohmann/detail/input/lexer.hpp>
#include <optional>
#include <utility>

#include "concat.h"
#include "heap_sort.h"
#include "throw_error.h"

namespace headlight {
namespace {

constexpr std::size_t kMaxDepth = 64;                    // published files need less than 10
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;  // published files have less than 40 MB

// What nlohmann's lexer asks of a type of JSON values.
struct LexerTypes {
  using number_integer_t = std::int64_t;
  using number_unsigned_t = std::uint64_t;
  using number_float_t = double;
  using string_t = std::string;
};
using Lexer = nlohmann::detail::lexer<LexerTypes, nlohmann::detail::iterator_input_adapter<const char*>>;
using Token = Lexer::token_type;

}  // namespace

// The grammar over the lexer's tokens: a document is built as they come.
class JsonBuilder {
 public:
  JsonBuilder(std::string_view text, const JsonRules& rules)
      : text_(text), rules_(rules), lexer_({text.data(), text.data() + text.size()}) {}

  Json build() {
    if (text_.size() > kMaxBytes) fail({"The file has more than ", kMaxBytes, " bytes"});
    begin_value(lexer_.scan());
    while (!kinds_.empty()) {
      const Token token = lexer_.scan();
      if (token == (kinds_.back() ? Token::end_object : Token::end_array)) {
        close();
      } else if (fresh_) {
        begin_item(token);
      } else if (token == Token::value_separator) {
        begin_item(lexer_.scan());
      } else {
        fail_syntax();
      }
    }
    if (lexer_.scan() != Token::end_of_input) fail_syntax();
    return std::move(root_);
  }

 private:
  // A member with its key or an item.
  void begin_item(Token token) {
    if (kinds_.back()) {
      if (token != Token::value_string) fail_syntax();
      if (is_diverted()) {
        rules_.diversion->key(lexer_.get_string());
      } else {
        keys_.back().swap(lexer_.get_string());
      }
      if (lexer_.scan() != Token::name_separator) fail_syntax();
      token = lexer_.scan();
    }
    begin_value(token);
  }

  void begin_value(Token token) {
    fresh_ = false;
    switch (token) {
      case Token::begin_object:
        return open(true);
      case Token::begin_array:
        return open(false);
      case Token::literal_null:
        refuse_diverted();
        place(Json::Kind::null);
        return;
      case Token::literal_true:
      case Token::literal_false:
        refuse_diverted();
        place(Json::Kind::boolean).natural_ = token == Token::literal_true;
        return;
      case Token::value_integer:
        if (is_diverted()) return rules_.diversion->number(static_cast<double>(lexer_.get_number_integer()));
        place(Json::Kind::integer).natural_ = static_cast<std::uint64_t>(lexer_.get_number_integer());
        return;
      case Token::value_unsigned:
        if (is_diverted()) return rules_.diversion->unsigned_number(lexer_.get_number_unsigned());
        place(Json::Kind::natural).natural_ = lexer_.get_number_unsigned();
        return;
      case Token::value_float:
        if (const double value = lexer_.get_number_float(); !std::isfinite(value)) {
          fail_syntax();
        } else if (is_diverted()) {
          rules_.diversion->number(value);
        } else {
          place(Json::Kind::real).real_ = value;
        }
        return;
      case Token::value_string:
        if (is_diverted()) return rules_.diversion->string(lexer_.get_string());
        place(Json::Kind::string).text_.swap(lexer_.get_string());
        return;
      default:
        fail_syntax();
    }
  }

  void open(bool is_object) {
    if (is_diverted()) {
      if (is_object) rules_.diversion->refuse();
      rules_.diversion->open_list();
    } else if (!(rules_.diversion && rules_.diversion->begin(keys_, is_object))) {
      if (open_.size() == kMaxDepth) fail({"The file is nested more than ", kMaxDepth, " levels deep"});
      open_.push_back(&place(is_object ? Json::Kind::object : Json::Kind::array));
      keys_.emplace_back();
    }
    kinds_.push_back(is_object);
    fresh_ = true;
  }

  void close() {
    kinds_.pop_back();
    fresh_ = false;
    if (is_diverted()) return rules_.diversion->close();
    if (open_.back()->is_object()) sort_members(*open_.back());
    open_.pop_back();
    keys_.pop_back();
  }

  Json& place(Json::Kind kind) {
    Json* value = &root_;
    if (!open_.empty()) {
      value = &open_.back()->items_.emplace_back();
      if (kinds_.back()) value->key_ = keys_.back();
    }
    value->kind_ = kind;
    return *value;
  }

  // Of members with the same key the last one stays.
  void sort_members(Json& object) const {
    std::vector<Json>& members = object.items_;
    std::vector<std::size_t> order(members.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    heap_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const int compared = members[a].key_.compare(members[b].key_);
      return compared != 0 ? compared < 0 : a < b;
    });
    std::vector<Json> sorted;
    sorted.reserve(members.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      Json& member = members[order[i]];
      if (i + 1 < order.size() && members[order[i + 1]].key_ == member.key_) {
        if (!rules_.unique_keys) continue;
        throw_error(rules_.code, "The key is there twice", {.file = rules_.file, .tensor = member.key_});
      }
      sorted.push_back(std::move(member));
    }
    members.swap(sorted);
  }

  bool is_diverted() const { return rules_.diversion && rules_.diversion->is_open(); }
  void refuse_diverted() const {
    if (is_diverted()) rules_.diversion->refuse();
  }

  [[noreturn]] void fail_syntax() const {
    const std::size_t first = text_.find_first_not_of(" \t\r\n");
    const char* problem = "The file is not valid JSON";
    if (first == std::string_view::npos) {
      problem = "The file is empty";
    } else if (text_[first] == '<') {
      problem = "The file is a web page, not JSON";
    }
    fail(problem, lexer_.get_position().chars_read_total);
  }

  [[noreturn]] void fail(const TextPiece& problem, std::optional<std::uint64_t> position = {}) const {
    throw_error(rules_.code, problem, {.file = rules_.file, .offset = position});
  }

  std::string_view text_;
  const JsonRules& rules_;
  Lexer lexer_;
  Json root_;
  std::vector<bool> kinds_;        // of the lists and objects around the next token: whether it is an object
  std::vector<Json*> open_;        // of these, the ones that become values
  std::vector<std::string> keys_;  // parallel: the last key in each
  bool fresh_ = false;             // the innermost has just been opened
};

double Json::number() const {
  if (kind_ == Kind::natural) return static_cast<double>(natural_);
  return kind_ == Kind::integer ? static_cast<double>(integer()) : real_;
}

const Json* Json::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  const auto found =
      std::lower_bound(items_.begin(), items_.end(), key,
                       [](const Json& member, std::string_view name) { return member.key_ < name; });
  return found != items_.end() && found->key_ == key ? &*found : nullptr;
}

void Json::erase(std::string_view key) {
  if (const Json* member = find(key)) items_.erase(items_.begin() + (member - items_.data()));
}

Json parse_json(std::string_view text, const JsonRules& rules) { return JsonBuilder(text, rules).build(); }

}  // namespace headlight
