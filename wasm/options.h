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

#include <nlohmann/json.hpp>

#include "headlight.h"
#include "throw_error.h"

namespace headlight::wasm {

// Each read() sets the value if the option is given; null counts as not given. finish() follows the last one.
class Options {
 public:
  explicit Options(const nlohmann::json& object) : object_(object) {
    if (!object.is_object()) fail("options", "an object", object);
  }

  void read(const char* name, bool& value) {
    const nlohmann::json* given = find(name);
    if (!given) return;
    if (!given->is_boolean()) fail(name, "true or false", *given);
    value = given->get<bool>();
  }

  void read(const char* name, std::optional<bool>& value) {
    if (find(name)) read(name, value.emplace());
  }

  void read(const char* name, std::optional<float>& value) {
    const nlohmann::json* given = find(name);
    if (!given) return;
    if (!given->is_number()) fail(name, "a number", *given);
    value = given->get<float>();
  }

  void read(const char* name, std::optional<int>& value) {
    const nlohmann::json* given = find(name);
    if (!given) return;
    if (!is_index(*given)) fail(name, "a whole number", *given);
    value = given->get<int>();
  }

  void read(const char* name, std::string& value) {
    const nlohmann::json* given = find(name);
    if (!given) return;
    if (!given->is_string()) fail(name, "a string", *given);
    value = given->get_ref<const std::string&>();
  }

  void read(const char* name, std::optional<std::string>& value) {
    if (find(name)) read(name, value.emplace());
  }

  void read(const char* name, std::vector<std::string>& value) {
    const nlohmann::json* given = find(name);
    if (!given) return;
    if (!given->is_array()) fail(name, "a list of strings", *given);
    value.clear();
    for (const nlohmann::json& item : *given) {
      if (!item.is_string()) fail(name, "a list of strings", *given);
      value.push_back(item.get_ref<const std::string&>());
    }
  }

  void read(const char* name, std::size_t& value, std::size_t least = 0) {
    const nlohmann::json* given = find(name);
    if (!given) return;
    if (!is_count(*given, least)) fail(name, {"a whole number, at least ", least}, *given);
    value = given->get<std::size_t>();
  }

  void read(const char* name, std::optional<std::size_t>& value, std::size_t least = 0) {
    if (find(name)) read(name, value.emplace(), least);
  }

  // An empty list is refused: it could mean all or none.
  void read(const char* name, std::vector<int>& value) {
    const nlohmann::json* given = find(name);
    if (!given) return;
    if (!given->is_array() || given->empty() || !std::all_of(given->begin(), given->end(), is_index)) {
      fail(name, "a list of whole numbers, at least one", *given);
    }
    value = given->get<std::vector<int>>();
  }

  void read(const char* name, std::optional<std::vector<std::size_t>>& value) {
    const nlohmann::json* given = find(name);
    if (!given) return;
    const auto is_position = [](const nlohmann::json& position) { return is_count(position, 0); };
    if (!given->is_array() || !std::all_of(given->begin(), given->end(), is_position)) {
      fail(name, "a list of whole numbers from 0 on", *given);
    }
    value = given->get<std::vector<std::size_t>>();
  }

  // A list of lists of numbers. An empty one is refused.
  void read(const char* name, std::vector<std::vector<float>>& value) {
    const nlohmann::json* given = find(name);
    if (!given) return;
    const auto is_row = [](const nlohmann::json& row) {
      return row.is_array() && std::all_of(row.begin(), row.end(),
                                           [](const nlohmann::json& number) { return number.is_number(); });
    };
    if (!given->is_array() || given->empty() || !std::all_of(given->begin(), given->end(), is_row)) {
      fail(name, "a list of lists of numbers, at least one", *given);
    }
    for (const nlohmann::json& row : *given) {
      value.emplace_back();
      for (const nlohmann::json& number : row) value.back().push_back(number.get<float>());
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
  const nlohmann::json* find(const char* name) {
    known_.push_back(name);
    const auto given = object_.find(name);
    return given == object_.end() || given->is_null() ? nullptr : &*given;
  }

  void finish() const {
    for (const auto& [name, value] : object_.items()) {
      if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
        throw_error(ErrorCode::E_INVALID_ARGUMENT, {"There is no option '", name, "' in this call"});
      }
    }
  }

  static bool is_count(const nlohmann::json& value, std::size_t least) {
    return value.is_number_unsigned() && value.get<std::uint64_t>() >= least &&
           value.get<std::uint64_t>() <= INT_MAX;
  }

  [[noreturn]] static void fail(const TextPiece& name, const TextPiece& wanted, const nlohmann::json& given) {
    constexpr std::size_t longest = 60;
    std::string shown = given.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (shown.size() > longest) shown = "a longer value";
    throw_error(ErrorCode::E_INVALID_ARGUMENT, {name, " must be ", wanted, ", not ", shown});
  }

 private:
  static bool is_index(const nlohmann::json& value) {
    return value.is_number_integer() && value.get<std::int64_t>() >= INT_MIN &&
           value.get<std::int64_t>() <= INT_MAX;
  }

  std::optional<int> choose(const char* name, std::initializer_list<Choice> choices) {
    const nlohmann::json* given = find(name);
    if (!given) return std::nullopt;
    std::string wanted;
    for (const Choice& choice : choices) {
      const bool no = *choice.text == '\0';
      if (no ? given->is_boolean() && !given->get<bool>()
             : given->is_string() && given->get_ref<const std::string&>() == choice.text) {
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

  const nlohmann::json& object_;
  std::vector<std::string_view> known_;
};

}  // namespace headlight::wasm
