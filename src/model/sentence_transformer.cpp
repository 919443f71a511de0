#include "model/sentence_transformer.h"
#include "concat.h"
#include "json_document.h"
#include "throw_error.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headlight {
namespace {

using nlohmann::json;

constexpr std::string_view kPoolingFolder = "1_Pooling";

[[noreturn]] void fail(std::string_view file, const TextPiece& what) {
  throw_error(ErrorCode::E_INVALID_CONFIG, what, {.file = file});
}

// The parsed file; null when it is not there.
json read(std::span<const File> files, std::string_view name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const File& file) { return file.name == name; });
  if (found == files.end()) return nullptr;
  json parsed = parse_json(found->bytes, {.code = ErrorCode::E_INVALID_CONFIG, .file = name});
  const bool list = name == kSentenceFiles[0];
  if (list ? !parsed.is_array() : !parsed.is_object()) {
    fail(name, list ? "The file is no list of modules" : "The file is no JSON object");
  }
  return parsed;
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// By the names of SentenceTransformer's Pooling, in the order in which it joins their vectors.
constexpr std::pair<std::string_view, std::string_view> kPoolings[] = {
    {"pooling_mode_cls_token", "cls"},
    {"pooling_mode_max_tokens", "max"},
    {"pooling_mode_mean_tokens", "mean"},
    {"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens"},
    {"pooling_mode_weightedmean_tokens", "weightedmean"},
    {"pooling_mode_lasttoken", "lasttoken"},
};

void read_pooling(const json& config, SentenceInfo& info) {
  if (config.is_null()) {
    info.unsupported.push_back(concat({kPoolingFolder, " (its config.json is missing)"}));
    return;
  }
  for (const auto& [key, name] : kPoolings) {
    const auto found = config.find(key);
    if (found == config.end()) continue;
    if (!found->is_boolean()) fail(kSentenceFiles[3], {key, " is neither true nor false"});
    if (found->get<bool>()) info.pooling.emplace_back(name);
  }
  // Later versions name the mode alone.
  if (const std::string mode = text_of(config, "pooling_mode"); info.pooling.empty() && !mode.empty()) {
    info.pooling.push_back(mode);
  }
  const auto is_known = [](const std::string& mode) {
    return std::any_of(std::begin(kPoolings), std::end(kPoolings),
                       [&](const auto& pooling) { return pooling.second == mode; });
  };
  for (const auto& [key, value] : config.items()) {
    const bool other = key.starts_with("pooling_mode_") && value == true &&
                       std::none_of(std::begin(kPoolings), std::end(kPoolings),
                                    [&](const auto& pooling) { return pooling.first == key; });
    if (other) info.unsupported.push_back(concat({kPoolingFolder, " (", key, ")"}));
  }
  for (const std::string& mode : info.pooling) {
    if (!is_known(mode)) info.unsupported.push_back(concat({kPoolingFolder, " (pooling_mode ", mode, ")"}));
  }
  const auto prompt = config.find("include_prompt");
  if (prompt != config.end() && prompt->is_boolean()) info.include_prompt = prompt->get<bool>();
}

void read_modules(const json& modules, std::span<const File> files, SentenceInfo& info) {
  for (const json& module : modules) {
    if (!module.is_object()) fail(kSentenceFiles[0], "A module is no JSON object");
    const std::string path = text_of(module, "path");
    const std::string type = text_of(module, "type");
    const std::string kind = type.substr(type.rfind('.') + 1);
    if (kind == "Transformer" && path.empty()) continue;
    if (kind == "Pooling" && path == kPoolingFolder && info.pooling.empty()) {
      read_pooling(read(files, kSentenceFiles[3]), info);
    } else if (kind == "Normalize") {
      info.normalize = true;
    } else {
      info.unsupported.push_back(concat({(path.empty() ? "." : path), " (", type, ")"}));
    }
  }
}

}  // namespace

std::optional<SentenceInfo> read_sentence_transformer(std::span<const File> files) {
  const json modules = read(files, kSentenceFiles[0]);
  if (modules.is_null()) return std::nullopt;
  SentenceInfo info;
  read_modules(modules, files, info);
  if (const json config = read(files, kSentenceFiles[1]); !config.is_null()) {
    const auto length = config.find("max_seq_length");
    if (length != config.end() && !length->is_null()) {
      if (!length->is_number_unsigned() || *length == 0) {
        fail(kSentenceFiles[1], "max_seq_length is no whole number above 0");
      }
      info.max_seq_length = length->get<std::size_t>();
    }
  }
  if (const json config = read(files, kSentenceFiles[2]); !config.is_null()) {
    info.default_prompt_name = text_of(config, "default_prompt_name");
    if (const auto prompts = config.find("prompts"); prompts != config.end() && prompts->is_object()) {
      for (const auto& [name, prompt] : prompts->items()) {
        if (!prompt.is_string()) fail(kSentenceFiles[2], {"The prompt ", name, " is no text"});
        info.prompts.emplace_back(name, prompt.get<std::string>());
      }
    }
  }
  return info;
}

}  // namespace headlight
