#include "text/tokenizer_config.h"
#include "heap_sort.h"

#include <algorithm>
#include <limits>

#include "text/class_tokens.h"
#include "text/json_file.h"

namespace headlight {

namespace {

constexpr std::string_view token_names[] = {"cls_token", "sep_token", "pad_token", "mask_token",
                                            "unk_token", "bos_token", "eos_token"};

void read_named_tokens(const JsonField& root, TokenizerConfig& config) {
  for (const std::string_view name : token_names) {
    const auto field = root.find(name);
    if (!field || config.find(name) != nullptr) continue;
    AddedToken token = read_added_token(*field);
    token.special = true;
    config.named_tokens.push_back({std::string(name), std::move(token), field->value().is_string()});
  }
  if (const auto more = root.find("additional_special_tokens")) {
    for (const JsonField& field : more->items()) {
      AddedToken token = read_added_token(field);
      token.special = true;
      config.named_tokens.push_back(
          {"additional_special_tokens", std::move(token), field.value().is_string()});
    }
  }
}

Side read_side(const JsonField& root, std::string_view key) {
  const auto field = root.find(key);
  if (!field || field->text() == "right") return Side::right;
  if (field->text() != "left") field->refuse("must be \"left\" or \"right\"");
  return Side::left;
}

std::optional<bool> read_flag(const JsonField& root, std::string_view key) {
  const auto field = root.find(key);
  return field ? std::optional(field->boolean()) : std::nullopt;
}

// "No limit" is written as a huge number.
std::optional<std::size_t> read_limit(const JsonField& field) {
  constexpr double no_limit = 1e9;
  if (!field.value().is_number()) field.refuse("must be a number");
  const double limit = field.value().number();
  if (!(limit >= 1 && limit < no_limit)) return std::nullopt;
  return static_cast<std::size_t>(limit);
}

std::vector<AddedToken> sorted_by_id(std::vector<std::pair<std::int32_t, AddedToken>> by_id) {
  std::vector<std::pair<std::int32_t, std::size_t>> order;
  for (std::size_t i = 0; i < by_id.size(); ++i) order.emplace_back(by_id[i].first, i);
  heap_sort(order.begin(), order.end());
  std::vector<AddedToken> tokens;
  for (const auto& [id, i] : order) tokens.push_back(std::move(by_id[i].second));
  return tokens;
}

std::vector<AddedToken> read_added_tokens_decoder(const JsonField& decoder) {
  std::vector<std::pair<std::int32_t, AddedToken>> by_id;
  for (const JsonField& field : decoder.members()) {
    std::int32_t id = 0;
    for (const char digit : field.key()) {
      if (digit < '0' || digit > '9' || id >= Vocabulary::id_limit)
        field.refuse("is not the entry of a token's id");
      id = 10 * id + (digit - '0');
    }
    by_id.emplace_back(id, read_added_token(field));
  }
  return sorted_by_id(std::move(by_id));
}

// An object of tokens and ids, without flags.
std::vector<AddedToken> read_added_tokens(const JsonField& root, const TokenizerConfig& config) {
  std::vector<std::pair<std::int32_t, AddedToken>> by_id;
  for (const JsonField& id : root.members()) {
    const std::string& content = id.key();
    const auto named = std::find_if(config.named_tokens.begin(), config.named_tokens.end(),
                                    [&](const auto& token) { return token.token.content == content; });
    AddedToken token{.content = content, .normalized = true};
    if (named != config.named_tokens.end()) token = named->token;
    by_id.emplace_back(id.integer(0, Vocabulary::id_limit - 1), std::move(token));
  }
  return sorted_by_id(std::move(by_id));
}

void read_main_file(const JsonField& root, TokenizerConfig& config) {
  if (const auto field = root.find("tokenizer_class")) config.tokenizer_class = field->text();
  config.do_lower_case = read_flag(root, "do_lower_case");
  config.strip_accents = read_flag(root, "strip_accents");
  config.tokenize_chinese_chars = read_flag(root, "tokenize_chinese_chars");
  config.keep_accents = read_flag(root, "keep_accents");
  config.split_by_punct = read_flag(root, "split_by_punct");
  config.add_prefix_space = read_flag(root, "add_prefix_space");
  config.trim_offsets = read_flag(root, "trim_offsets");
  if (const auto field = root.find("added_tokens_decoder")) {
    config.added_tokens = read_added_tokens_decoder(*field);
    config.added_tokens_described = true;
  }
  if (const auto field = root.find("model_max_length")) config.model_max_length = read_limit(*field);
  config.padding_side = read_side(root, "padding_side");
  config.truncation_side = read_side(root, "truncation_side");
  if (const auto field = root.find("model_input_names")) {
    config.names_token_types = false;
    for (const JsonField& name : field->items()) {
      if (name.text() == "token_type_ids") config.names_token_types = true;
    }
  }
  read_named_tokens(root, config);
}

}  // namespace

const TokenizerConfig::NamedToken* TokenizerConfig::find_named(std::string_view name) const {
  const auto found = std::find_if(named_tokens.begin(), named_tokens.end(),
                                  [name](const NamedToken& named) { return named.name == name; });
  return found == named_tokens.end() ? nullptr : &*found;
}

const AddedToken* TokenizerConfig::find(std::string_view name) const {
  const NamedToken* named = find_named(name);
  return named == nullptr ? nullptr : &named->token;
}

TokenizerConfig read_tokenizer_config(std::span<const File> files) {
  TokenizerConfig config;
  if (const File* file = find_file(files, "tokenizer_config.json")) {
    const JsonFile json = read_json(*file);
    read_main_file(JsonField(json), config);
  }
  if (const File* file = find_file(files, "special_tokens_map.json")) {
    const JsonFile json = read_json(*file);
    read_named_tokens(JsonField(json), config);
  }
  if (const File* file = find_file(files, "config.json")) {
    const JsonFile json = read_json(*file);
    const JsonField root(json);
    if (const auto field = root.find("pad_token_id")) {
      config.pad_token_id = field->integer(-1, std::numeric_limits<std::int32_t>::max());
    }
    if (const auto field = root.find("model_type")) config.model_type = field->text();
    if (const auto field = root.find("tokenizer_class"); field && config.tokenizer_class.empty()) {
      config.tokenizer_class = field->text();
    }
  }
  const File* added_tokens = find_file(files, "added_tokens.json");
  if (added_tokens != nullptr && !config.added_tokens_described) {
    const JsonFile json = read_json(*added_tokens);
    config.added_tokens = read_added_tokens(JsonField(json), config);
  }
  return config;
}

AddedToken read_added_token(const JsonField& field) {
  if (field.value().is_string()) return {.content = field.text()};
  AddedToken token{.content = field.at("content").text()};
  const auto read = [&field](std::string_view key, bool& flag) {
    if (const auto value = field.find(key)) flag = value->boolean();
  };
  read("single_word", token.single_word);
  read("lstrip", token.lstrip);
  read("rstrip", token.rstrip);
  read("normalized", token.normalized);
  read("special", token.special);
  return token;
}

void apply_config(const TokenizerConfig& config, TokenizerParts& parts) {
  parts.model_max_length = config.model_max_length;
  parts.padding_side = config.padding_side;
  parts.truncation_side = config.truncation_side;
  parts.token_types = config.names_token_types.value_or(class_gives_token_types(config));

  const Vocabulary& vocabulary = parts.model->vocabulary();
  const auto is_added = [&parts](const AddedToken& token) {
    return std::any_of(parts.added_tokens.begin(), parts.added_tokens.end(),
                       [&token](const AddedToken& added) { return added.content == token.content; });
  };
  for (const AddedToken& token : config.added_tokens) {
    if (config.added_tokens_described || !is_added(token)) parts.added_tokens.push_back(token);
  }
  for (const TokenizerConfig::NamedToken& named : config.named_tokens) {
    if (!is_added(named.token) && vocabulary.find(named.token.content))
      parts.added_tokens.push_back(named.token);
  }

  const auto spellings = [&config](std::string_view name, std::string bert, std::string roberta) {
    std::vector<std::string> result;
    if (const AddedToken* token = config.find(name)) result.push_back(token->content);
    result.push_back(std::move(bert));
    result.push_back(std::move(roberta));
    return result;
  };
  parts.special = {.cls = spellings("cls_token", "[CLS]", "<s>"),
                   .sep = spellings("sep_token", "[SEP]", "</s>"),
                   .pad = spellings("pad_token", "[PAD]", "<pad>"),
                   .mask = spellings("mask_token", "[MASK]", "<mask>"),
                   .unk = spellings("unk_token", "[UNK]", "<unk>")};
  if (config.pad_token_id && config.find("pad_token") == nullptr) {
    if (const auto token = vocabulary.token(*config.pad_token_id)) {
      parts.special.pad.insert(parts.special.pad.begin(), std::string(*token));
    }
  }
}

const File* find_file(std::span<const File> files, std::string_view name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [name](const File& file) { return file.name == name; });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace headlight
