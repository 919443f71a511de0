#include "model/config.h"
#include "json_text.h"
#include "throw_error.h"

#include <algorithm>
#include <cmath>

#include "headlight.h"

namespace headlight {
namespace {

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
  Json config = parse_json(text, {.code = ErrorCode::E_INVALID_CONFIG, .file = kFile});
  if (!config.is_object()) fail_config("The file is not a JSON object");
  return ConfigFile(std::move(config));
}

const Json* ConfigFile::find(std::string_view key) const {
  const Json* found = json_.find(key);
  return !found || found->is_null() ? nullptr : found;
}

bool ConfigFile::has(std::string_view key) const { return find(key) != nullptr; }

std::size_t ConfigFile::size(std::string_view key, std::size_t at_most) const {
  const Json* value = find(key);
  if (!value) fail_config({key, " is missing"});
  const auto number = value->is_natural() ? value->natural() : 0;
  if (number < 1 || number > at_most) {
    fail_config({key, " is ", json_text(*value), ", not a whole number from 1 to ", at_most});
  }
  return static_cast<std::size_t>(number);
}

std::size_t ConfigFile::size_or(std::string_view key, std::size_t otherwise) const {
  return has(key) ? size(key) : otherwise;
}

std::size_t ConfigFile::index_or(std::string_view key, std::size_t otherwise) const {
  const Json* value = find(key);
  if (!value) return otherwise;
  if (!value->is_natural() || value->natural() > kMaxSize) {
    fail_config({key, " is ", json_text(*value), ", not a whole number from 0 to ", kMaxSize});
  }
  return static_cast<std::size_t>(value->natural());
}

std::size_t ConfigFile::set_size_or(std::string_view key, std::size_t otherwise) const {
  const Json* value = find(key);
  const bool unset = !value || (value->is_integer() && !(value->is_natural() && value->natural() > 0));
  return unset ? otherwise : size(key);
}

std::vector<std::size_t> ConfigFile::sizes(std::string_view key, std::size_t count) const {
  const Json* value = find(key);
  if (!value || !value->is_array()) return std::vector<std::size_t>(count, size(key));
  std::vector<std::size_t> sizes;
  for (const Json& item : value->items()) {
    const auto number = item.is_natural() ? item.natural() : 0;
    if (number < 1 || number > kMaxSize) fail_config({key, " holds ", json_text(item)});
    sizes.push_back(static_cast<std::size_t>(number));
  }
  if (sizes.size() != count) {
    fail_config({key, " has ", sizes.size(), " entries, not ", count});
  }
  return sizes;
}

std::vector<std::vector<std::size_t>> ConfigFile::pruned_heads(std::size_t layers, std::size_t heads) const {
  const Json* value = find("pruned_heads");
  if (!value) return {};
  if (!value->is_object()) fail_config({"pruned_heads is ", json_text(*value), ", not an object"});
  std::vector<std::vector<std::size_t>> pruned(layers);
  std::size_t known = 0;
  bool any = false;
  for (std::size_t l = 0; l < layers; ++l) {
    const Json* list = value->find(std::to_string(l));
    if (!list) continue;
    ++known;
    if (!list->is_array()) fail_config({"pruned_heads of layer ", l, " is ", json_text(*list)});
    std::size_t named = 0;
    for (std::size_t head = 0; head < heads; ++head) {
      for (const Json& item : list->items()) {
        if (!item.is_natural() || item.natural() != head) continue;
        pruned[l].push_back(head);
        ++named;
        break;
      }
    }
    // Each is a head that the model has, is named once, and leaves another one.
    if (named != list->items().size() || named == heads) {
      fail_config({"pruned_heads of layer ", l, " is ", json_text(*list)});
    }
    any = any || named > 0;
  }
  if (known != value->items().size()) fail_config("pruned_heads names a layer that the model does not have");
  if (!any) pruned.clear();
  return pruned;
}

std::vector<std::string> ConfigFile::names(std::string_view key, char separator) const {
  const Json* value = find(key);
  std::vector<std::string> names;
  if (!value) return names;
  if (value->is_string()) {
    const std::string& text = value->text();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(separator, begin), text.size());
      if (end > begin) names.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return names;
  }
  if (!value->is_array()) fail_config({key, " is ", json_text(*value), ", not a list of names"});
  for (const Json& item : value->items()) {
    if (!item.is_string()) fail_config({key, " holds ", json_text(item), ", not a name"});
    names.push_back(item.text());
  }
  return names;
}

std::optional<ConfigFile> ConfigFile::object(std::string_view key) const {
  const Json* value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_object()) fail_config({key, " is ", json_text(*value), ", not an object"});
  return ConfigFile(*value);
}

float ConfigFile::positive_or(std::string_view key, float otherwise) const {
  const Json* value = find(key);
  if (!value) return otherwise;
  const float number = value->is_number() ? static_cast<float>(value->number()) : 0;
  if (!(std::isfinite(number) && number > 0))
    fail_config({key, " is ", json_text(*value), ", not a positive number"});
  return number;
}

bool ConfigFile::flag_or(std::string_view key, bool otherwise) const {
  const Json* value = find(key);
  if (!value) return otherwise;
  if (!value->is_boolean()) fail_config({key, " is ", json_text(*value), ", neither true nor false"});
  return value->boolean();
}

std::string ConfigFile::text_or(std::string_view key, std::string_view otherwise) const {
  const Json* value = find(key);
  if (!value) return std::string(otherwise);
  if (!value->is_string()) fail_config({key, " is ", json_text(*value), ", not a string"});
  return value->text();
}

Activation ConfigFile::activation_or(std::string_view key, std::string_view otherwise) const {
  const std::string name = text_or(key, otherwise);
  const auto activation = activation_from_name(name);
  if (!activation) fail_unsupported_option({key, " \"", name, "\" is not supported"});
  return *activation;
}

std::string ConfigFile::architecture() const {
  const Json* value = find("architectures");
  if (!value || !value->is_array() || value->items().empty()) return {};
  return value->items().front().text();
}

std::vector<std::string> ConfigFile::labels() const {
  const Json* names = find("id2label");
  if (names && !names->is_object()) fail_config("id2label is not an object");
  const std::size_t told = has("num_labels") ? size("num_labels", kMaxLabels) : 0;
  // Where both are there and differ, as in configs of before 2020, transformers takes the number.
  if (names && told > 0 && told != names->items().size()) names = nullptr;
  const auto find_name = [names](std::size_t i) { return names ? names->find(std::to_string(i)) : nullptr; };
  std::size_t count = names ? names->items().size() : told > 0 ? told : 2;
  while (count < kMaxLabels && find_name(count)) ++count;  // there are gaps before
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < count; ++i) {
    const Json* name = find_name(i);
    labels.push_back(name && name->is_string() ? name->text() : "LABEL_" + std::to_string(i));
  }
  return labels;
}

void ConfigFile::require(std::string_view key, std::string_view value) const {
  const Json* found = find(key);
  if (found && !(found->is_string() && found->text() == value)) fail_required(key, *found);
}

void ConfigFile::require_number(std::string_view key, std::size_t value) const {
  const Json* found = find(key);
  if (found && !(found->is_number() && found->number() == static_cast<double>(value)))
    fail_required(key, *found);
}

void ConfigFile::require_flag(std::string_view key, bool value) const {
  const Json* found = find(key);
  if (found && !(found->is_boolean() && found->boolean() == value)) fail_required(key, *found);
}

void ConfigFile::fail_required(std::string_view key, const Json& found) {
  fail_unsupported_option({key, " ", json_text(found), " is not supported"});
}

}  // namespace headlight
