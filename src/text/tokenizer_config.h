#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headlight.h"
#include "text/added_tokens.h"
#include "text/tokenizer_model.h"

namespace headlight {

class JsonField;

// What tokenizer_config.json, special_tokens_map.json, added_tokens.json and config.json say; empty where they do not.
struct TokenizerConfig {
  struct NamedToken {
    std::string name;  // "cls_token"
    AddedToken token;
    bool spelling_only = false;  // the file tells no flags
  };

  std::string tokenizer_class;
  std::string model_type;  // config.json's
  std::optional<bool> do_lower_case, strip_accents, tokenize_chinese_chars;
  std::optional<bool> keep_accents, split_by_punct, add_prefix_space, trim_offsets;
  std::vector<NamedToken> named_tokens;
  std::vector<AddedToken> added_tokens;  // added_tokens_decoder's, else those of added_tokens.json; by id
  bool added_tokens_described = false;   // they are added_tokens_decoder's, which tells flags
  std::optional<std::size_t> model_max_length;
  std::optional<std::int32_t> pad_token_id;
  Side padding_side = Side::right;
  Side truncation_side = Side::right;
  std::optional<bool> names_token_types;  // whether model_input_names has token_type_ids

  const NamedToken* find_named(std::string_view name) const;  // null where the files do not name it
  const AddedToken* find(std::string_view name) const;
};

// Throws E_INVALID_TOKENIZER for broken files and values of a wrong kind.
TokenizerConfig read_tokenizer_config(std::span<const File> files);

// An added token as tokenizer files write it: an object, or its spelling alone with all flags false.
AddedToken read_added_token(const JsonField& field);

// The part of the tokenizer that both kinds of folder have from these files: lengths, sides, the special
// tokens' spellings, and added tokens that `parts` does not hold yet. Needs parts.model.
void apply_config(const TokenizerConfig& config, TokenizerParts& parts);

const File* find_file(std::span<const File> files, std::string_view name);

}  // namespace headlight
