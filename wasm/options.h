// Reads options from a JSON object, names the one at fault and refuses those it does not know.
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headlight.h"
#include "json_text.h"
#include "throw_error.h"

namespace headlight::wasm {

// Each read() sets the value if the option is given; null counts as not given. finish() follows the last one.
class Options {
 public:
  explicit Options(const Json& object) : object_(object) {
    if (!object.is_object()) fail("options", "an object", object);
  }

  void read(const char* name, bool& value) {
    const Json* given = find(name);
    if (!given) return;
    if (!given->is_boolean()) fail(name, "true or false", *given);
    value = given->boolean();
  }

  void read(const char* name, std::optional<bool>& value) {
    if (find(name)) read(name, value.emplace());
  }

  void read(const char* name, std::optional<float>& value) {
    const Json* given = find(name);
    if (!given) return;
    if (!given->is_number()) fail(name, "a number", *given);
    value = static_cast<float>(given->number());
  }

  void read(const char* name, std::optional<int>& value) {
    const Json* given = find(name);
    if (!given) return;
    if (!is_index(*given)) fail(name, "a whole number", *given);
    value = static_cast<int>(given->integer());
  }

  void read(const char* name, std::string& value) {
    const Json* given = find(name);
    if (!given) return;
    if (!given->is_string()) fail(name, "a string", *given);
    value = given->text();
  }

  void read(const char* name, std::optional<std::string>& value) {
    if (find(name)) read(name, value.emplace());
  }

  void read(const char* name, std::vector<std::string>& value) {
    const Json* given = find(name);
    if (!given) return;
    if (!given->is_array()) fail(name, "a list of strings", *given);
    value.clear();
    for (const Json& item : given->items()) {
      if (!item.is_string()) fail(name, "a list of strings", *given);
      value.push_back(item.text());
    }
  }

  void read(const char* name, std::size_t& value, std::size_t least = 0) {
    const Json* given = find(name);
    if (!given) return;
    if (!is_count(*given, least)) fail(name, {"a whole number, at least ", least}, *given);
    value = static_cast<std::size_t>(given->natural());
  }

  void read(const char* name, std::optional<std::size_t>& value, std::size_t least = 0) {
    if (find(name)) read(name, value.emplace(), least);
  }

  // An empty list is refused: it could mean all or none.
  void read(const char* name, std::vector<int>& value) {
    const Json* given = find(name);
    if (!given) return;
    if (given->items().empty() || !all_items(*given, is_index)) {
      fail(name, "a list of whole numbers, at least one", *given);
    }
    value.clear();
    for (const Json& item : given->items()) value.push_back(static_cast<int>(item.integer()));
  }

  void read(const char* name, std::optional<std::vector<std::size_t>>& value) {
    const Json* given = find(name);
    if (!given) return;
    const auto is_position = [](const Json& position) { return is_count(position, 0); };
    if (!all_items(*given, is_position)) fail(name, "a list of whole numbers from 0 on", *given);
    value.emplace();
    for (const Json& item : given->items()) value->push_back(static_cast<std::size_t>(item.natural()));
  }

  // A list of lists of numbers. An empty one is refused.
  void read(const char* name, std::vector<std::vector<float>>& value) {
    const Json* given = find(name);
    if (!given) return;
    const auto is_row = [](const Json& row) {
      return all_items(row, [](const Json& item) { return item.is_number(); });
    };
    if (given->items().empty() || !all_items(*given, is_row)) {
      fail(name, "a list of lists of numbers, at least one", *given);
    }
    for (const Json& row : given->items()) {
      value.emplace_back();
      for (const Json& number : row.items()) value.back().push_back(static_cast<float>(number.number()));
    }
  }

  // A string and what it means; kFalse stands for false.
  struct Choice {
    template <typename Meaning>
    constexpr Choice(const char* choice, Meaning of) : text(choice), meaning(static_cast<int>(of)) {}
    const char* text;
    int meaning;
  };

  template <typename Value>
  void read(const char* name, Value& value, std::initializer_list<Choice> choices) {
    if (const auto chosen = choose(name, choices)) value = static_cast<Value>(*chosen);
  }

  static constexpr const char* kFalse = "";

  // The option as it is, or nullptr.
  const Json* find(const char* name) {
    known_.push_back(name);
    const Json* given = object_.find(name);
    return !given || given->is_null() ? nullptr : given;
  }

  void finish() const {
    for (const Json& given : object_.items()) {
      if (std::find(known_.begin(), known_.end(), given.key()) == known_.end()) {
        throw_error(ErrorCode::E_INVALID_ARGUMENT, {"There is no option '", given.key(), "' in this call"});
      }
    }
  }

  static bool is_count(const Json& value, std::size_t least) {
    return value.is_natural() && value.natural() >= least && value.natural() <= INT_MAX;
  }

  [[noreturn]] static void fail(const TextPiece& name, const TextPiece& wanted, const Json& given) {
    constexpr std::size_t longest = 60;
    std::string shown = json_text(given);
    if (shown.size() > longest) shown = "what was given";
    throw_error(ErrorCode::E_INVALID_ARGUMENT, {name, " must be ", wanted, ", not ", shown});
  }

 private:
  static bool is_index(const Json& value) {
    return value.is_natural() ? value.natural() <= INT_MAX : value.is_integer() && value.integer() >= INT_MIN;
  }

  static bool all_items(const Json& value, bool (*fits)(const Json& item)) {
    return value.is_array() && std::all_of(value.items().begin(), value.items().end(), fits);
  }

  std::optional<int> choose(const char* name, std::initializer_list<Choice> choices) {
    const Json* given = find(name);
    if (!given) return std::nullopt;
    std::string wanted;
    for (const Choice& choice : choices) {
      const bool no = *choice.text == '\0';
      if (no ? given->is_boolean() && !given->boolean()
             : given->is_string() && given->text() == choice.text) {
        return choice.meaning;
      }
      if (!wanted.empty()) wanted += " or ";
      if (no) {
        wanted += "false";
      } else {
        wanted.append("\"").append(choice.text).append("\"");
      }
    }
    fail(name, wanted, *given);
  }

  const Json& object_;
  std::vector<std::string_view> known_;
};

}  // namespace headlight::wasm
