#include "model/sentence_transformer.h"
#include "concat.h"
#include "json_document.h"
#include "throw_error.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr std::string_view kPoolingFolder = "1_Pooling";

[[noreturn]] void fail(std::string_view file, const TextPiece& what) {
  throw_error(ErrorCode::E_INVALID_CONFIG, what, {.file = file});
}

// The parsed file; null when it is not there.
Json read(std::span<const File> files, std::string_view name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const File& file) { return file.name == name; });
  if (found == files.end()) return {};
  Json parsed = parse_json(found->bytes, {.code = ErrorCode::E_INVALID_CONFIG, .file = name});
  const bool list = name == kSentenceFiles[0];
  if (list ? !parsed.is_array() : !parsed.is_object()) {
    fail(name, list ? "The file is no list of modules" : "The file is no JSON object");
  }
  return parsed;
}

std::string text_of(const Json& object, const char* key) {
  const Json* found = object.find(key);
  return found ? found->text() : "";
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

void read_pooling(const Json& config, SentenceInfo& info) {
  if (config.is_null()) {
    info.unsupported.push_back(concat({kPoolingFolder, " (its config.json is missing)"}));
    return;
  }
  for (const auto& [key, name] : kPoolings) {
    const Json* found = config.find(key);
    if (!found) continue;
    if (!found->is_boolean()) fail(kSentenceFiles[3], {key, " is neither true nor false"});
    if (found->boolean()) info.pooling.emplace_back(name);
  }
  // Later versions name the mode alone.
  if (const std::string mode = text_of(config, "pooling_mode"); info.pooling.empty() && !mode.empty()) {
    info.pooling.push_back(mode);
  }
  const auto is_known = [](const std::string& mode) {
    return std::any_of(std::begin(kPoolings), std::end(kPoolings),
                       [&](const auto& pooling) { return pooling.second == mode; });
  };
  for (const Json& value : config.items()) {
    const std::string& key = value.key();
    const bool other = key.starts_with("pooling_mode_") && value.is_boolean() && value.boolean() &&
                       std::none_of(std::begin(kPoolings), std::end(kPoolings),
                                    [&](const auto& pooling) { return pooling.first == key; });
    if (other) info.unsupported.push_back(concat({kPoolingFolder, " (", key, ")"}));
  }
  for (const std::string& mode : info.pooling) {
    if (!is_known(mode)) info.unsupported.push_back(concat({kPoolingFolder, " (pooling_mode ", mode, ")"}));
  }
  const Json* prompt = config.find("include_prompt");
  if (prompt && prompt->is_boolean()) info.include_prompt = prompt->boolean();
}

void read_modules(const Json& modules, std::span<const File> files, SentenceInfo& info) {
  for (const Json& module : modules.items()) {
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
  const Json modules = read(files, kSentenceFiles[0]);
  if (modules.is_null()) return std::nullopt;
  SentenceInfo info;
  read_modules(modules, files, info);
  if (const Json config = read(files, kSentenceFiles[1]); !config.is_null()) {
    const Json* length = config.find("max_seq_length");
    if (length && !length->is_null()) {
      if (!length->is_natural() || length->natural() == 0) {
        fail(kSentenceFiles[1], "max_seq_length is no whole number above 0");
      }
      info.max_seq_length = static_cast<std::size_t>(length->natural());
    }
  }
  if (const Json config = read(files, kSentenceFiles[2]); !config.is_null()) {
    info.default_prompt_name = text_of(config, "default_prompt_name");
    if (const Json* prompts = config.find("prompts"); prompts && prompts->is_object()) {
      for (const Json& prompt : prompts->items()) {
        const std::string& name = prompt.key();
        if (!prompt.is_string()) fail(kSentenceFiles[2], {"The prompt ", name, " is no text"});
        info.prompts.emplace_back(name, prompt.text());
      }
    }
  }
  return info;
}

}  // namespace headlight
