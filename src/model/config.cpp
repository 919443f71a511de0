#include "model/config.h"
#include "json_document.h"
#include "throw_error.h"

#include <algorithm>
#include <cmath>

#include "headlight.h"

namespace headlight {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxLabels = std::size_t{1} << 16;
constexpr std::string_view kFile = "config.json";

}  // namespace

void fail_config(const TextPiece& message) {
  throw_error(ErrorCode::E_INVALID_CONFIG, message, {.file = kFile});
}

void fail_unsupported_option(const TextPiece& message) {
  throw_error(ErrorCode::E_UNSUPPORTED_OPTION, message, {.file = kFile});
}

ConfigFile ConfigFile::parse(std::string_view text) {
  json config = parse_json(text, {.code = ErrorCode::E_INVALID_CONFIG, .file = kFile});
  if (!config.is_object()) fail_config("The file is not a JSON object");
  return ConfigFile(std::move(config));
}

const json* ConfigFile::find(std::string_view key) const {
  const auto found = json_.find(key);
  return found == json_.end() || found->is_null() ? nullptr : &*found;
}

bool ConfigFile::has(std::string_view key) const { return find(key) != nullptr; }

std::size_t ConfigFile::size(std::string_view key, std::size_t at_most) const {
  const json* value = find(key);
  if (!value) fail_config({key, " is missing"});
  const auto number = value->is_number_unsigned() ? value->get<std::uint64_t>() : 0;
  if (number < 1 || number > at_most) {
    fail_config({key, " is ", value->dump(), ", not a whole number from 1 to ", at_most});
  }
  return static_cast<std::size_t>(number);
}

std::size_t ConfigFile::size_or(std::string_view key, std::size_t otherwise) const {
  return has(key) ? size(key) : otherwise;
}

std::size_t ConfigFile::index_or(std::string_view key, std::size_t otherwise) const {
  const json* value = find(key);
  if (!value) return otherwise;
  if (!value->is_number_unsigned() || value->get<std::uint64_t>() > kMaxSize) {
    fail_config({key, " is ", value->dump(), ", not a whole number from 0 to ", kMaxSize});
  }
  return value->get<std::size_t>();
}

std::size_t ConfigFile::set_size_or(std::string_view key, std::size_t otherwise) const {
  const json* value = find(key);
  const bool unset = !value || (value->is_number_integer() && value->get<std::int64_t>() < 1);
  return unset ? otherwise : size(key);
}

std::vector<std::size_t> ConfigFile::sizes(std::string_view key, std::size_t count) const {
  const json* value = find(key);
  if (!value || !value->is_array()) return std::vector<std::size_t>(count, size(key));
  std::vector<std::size_t> sizes;
  for (const json& item : *value) {
    const auto number = item.is_number_unsigned() ? item.get<std::uint64_t>() : 0;
    if (number < 1 || number > kMaxSize) fail_config({key, " holds ", item.dump()});
    sizes.push_back(static_cast<std::size_t>(number));
  }
  if (sizes.size() != count) {
    fail_config({key, " has ", sizes.size(), " entries, not ", count});
  }
  return sizes;
}

std::vector<std::string> ConfigFile::names(std::string_view key, char separator) const {
  const json* value = find(key);
  std::vector<std::string> names;
  if (!value) return names;
  if (value->is_string()) {
    const std::string text = value->get<std::string>();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(separator, begin), text.size());
      if (end > begin) names.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return names;
  }
  if (!value->is_array()) fail_config({key, " is ", value->dump(), ", not a list of names"});
  for (const json& item : *value) {
    if (!item.is_string()) fail_config({key, " holds ", item.dump(), ", not a name"});
    names.push_back(item.get<std::string>());
  }
  return names;
}

std::optional<ConfigFile> ConfigFile::object(std::string_view key) const {
  const json* value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_object()) fail_config({key, " is ", value->dump(), ", not an object"});
  return ConfigFile(*value);
}

float ConfigFile::positive_or(std::string_view key, float otherwise) const {
  const json* value = find(key);
  if (!value) return otherwise;
  const bool positive = value->is_number() && std::isfinite(value->get<float>()) && value->get<float>() > 0;
  if (!positive) fail_config({key, " is ", value->dump(), ", not a positive number"});
  return value->get<float>();
}

bool ConfigFile::flag_or(std::string_view key, bool otherwise) const {
  const json* value = find(key);
  if (!value) return otherwise;
  if (!value->is_boolean()) fail_config({key, " is ", value->dump(), ", neither true nor false"});
  return value->get<bool>();
}

std::string ConfigFile::text_or(std::string_view key, std::string_view otherwise) const {
  const json* value = find(key);
  if (!value) return std::string(otherwise);
  if (!value->is_string()) fail_config({key, " is ", value->dump(), ", not a string"});
  return value->get<std::string>();
}

Activation ConfigFile::activation_or(std::string_view key, std::string_view otherwise) const {
  const std::string name = text_or(key, otherwise);
  const auto activation = activation_from_name(name);
  if (!activation) fail_unsupported_option({key, " \"", name, "\" is not supported"});
  return *activation;
}

std::string ConfigFile::architecture() const {
  const json* value = find("architectures");
  if (!value || !value->is_array() || value->empty() || !value->front().is_string()) return {};
  return value->front().get<std::string>();
}

std::vector<std::string> ConfigFile::labels() const {
  const json* names = find("id2label");
  if (names && !names->is_object()) fail_config("id2label is not an object");
  std::size_t count = names ? names->size() : size_or("num_labels", 2);
  while (names && count < kMaxLabels && names->contains(std::to_string(count)))
    ++count;  // there are gaps before
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string key = std::to_string(i);
    const bool named = names && names->contains(key) && (*names)[key].is_string();
    labels.push_back(named ? (*names)[key].get<std::string>() : "LABEL_" + key);
  }
  return labels;
}

void ConfigFile::require(std::string_view key, const json& value) const {
  const json* found = find(key);
  if (found && *found != value) {
    fail_unsupported_option({key, " ", found->dump(), " is not supported"});
  }
}

}  // namespace headlight
