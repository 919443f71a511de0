#include "text/class_tokens.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "throw_error.h"

namespace headlight {

namespace {

constexpr std::pair<std::string_view, std::string_view> kinds_of_model_types[] = {
    {"albert", "Albert"},       {"big_bird", "BigBird"},
    {"camembert", "Camembert"}, {"deberta-v2", "DebertaV2"},
    {"gpt2", "GPT2"},           {"longformer", "Longformer"},
    {"roberta", "Roberta"},     {"xlm-roberta", "XLMRoberta"},
};

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<AddedToken> special_tokens(const ClassTokens& tokens, const TokenizerConfig& config) {
  const std::pair<std::string_view, std::string_view> named[] = {
      {"bos_token", tokens.bos},  {"eos_token", tokens.eos}, {"unk_token", tokens.unk},
      {"sep_token", tokens.sep},  {"pad_token", tokens.pad}, {"cls_token", tokens.cls},
      {"mask_token", tokens.mask}};
  std::vector<AddedToken> result;
  for (const auto& [name, usual] : named) {
    const TokenizerConfig::NamedToken* given = config.find_named(name);
    if (given == nullptr && usual.empty()) continue;
    AddedToken token;
    if (given != nullptr) {
      token = given->token;
    } else {
      token.content = usual;
    }
    if (given == nullptr || given->spelling_only) {
      const auto described =
          std::find_if(config.added_tokens.begin(), config.added_tokens.end(),
                       [&token](const AddedToken& added) { return added.content == token.content; });
      if (config.added_tokens_described && described != config.added_tokens.end()) {
        token = *described;
      } else {
        token.lstrip = name == "mask_token" && tokens.mask_takes_space;
        token.normalized = tokens.normalized == ClassTokens::Normalized::all ||
                           (tokens.normalized == ClassTokens::Normalized::unk && name == "unk_token");
      }
    }
    token.special = true;
    result.push_back(std::move(token));
  }
  for (const auto& [name, token, spelling_only] : config.named_tokens) {
    if (name == "additional_special_tokens") result.push_back(token);
  }
  return result;
}

std::string special_spelling(const TokenizerConfig& config, std::string_view name, std::string_view usual) {
  const AddedToken* token = config.find(name);
  return token != nullptr ? token->content : std::string(usual);
}

std::string_view without_suffixes(std::string_view tokenizer_class) {
  for (const std::string_view suffix : {"Fast", "Tokenizer"}) {
    if (tokenizer_class.ends_with(suffix)) tokenizer_class.remove_suffix(suffix.size());
  }
  return tokenizer_class;
}

void refuse_class(const TextPiece& tokenizer_class, const File& file) {
  throw_error(ErrorCode::E_UNSUPPORTED_TOKENIZER,
              {"The tokenizer class \"", tokenizer_class, "\" is not supported without tokenizer.json"},
              {.file = file.name});
}

std::string tokenizer_kind(const TokenizerConfig& config) {
  const std::string kind(without_suffixes(config.tokenizer_class));
  if (!kind.empty() && kind != "PreTrained") return kind;
  for (const auto& [model_type, of_model_type] : kinds_of_model_types) {
    if (model_type == config.model_type) return std::string(of_model_type);
  }
  return {};
}

bool normalizes_as_bert(const TokenizerConfig& config) {
  if (config.tokenizer_class.empty()) {
    return is_one_of(config.model_type, {"bert", "distilbert", "electra", "ernie", "mobilebert", "mpnet"});
  }
  return is_one_of(without_suffixes(config.tokenizer_class),
                   {"Bert", "DistilBert", "Electra", "MobileBert", "MPNet"});
}

bool prefixes_as_roberta(const TokenizerConfig& config) {
  if (config.tokenizer_class.empty()) return is_one_of(config.model_type, {"roberta", "longformer"});
  return is_one_of(without_suffixes(config.tokenizer_class), {"Roberta", "Longformer"});
}

bool class_gives_token_types(const TokenizerConfig& config) {
  const std::string kind = tokenizer_kind(config);
  return !is_one_of(kind, {"BigBird", "Camembert", "DistilBert", "Longformer", "MPNet", "Roberta",
                           "TokenizersBackend", "XLMRoberta"});
}

}  // namespace headlight
