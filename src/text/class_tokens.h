#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "concat.h"
#include "text/tokenizer_config.h"

namespace headlight {

// The special tokens that a tokenizer class of transformers has where the files name no others.
struct ClassTokens {
  std::string_view bos, eos, unk, sep, pad, cls, mask;  // empty: the class has none
  bool mask_takes_space = true;                         // the mask token takes the whitespace before it
  enum class Normalized { none, unk, all } normalized = Normalized::none;  // found in normalized text
};

inline constexpr ClassTokens roberta_tokens{"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"};
inline constexpr ClassTokens albert_tokens{"[CLS]", "[SEP]", "<unk>", "[SEP]", "<pad>", "[CLS]", "[MASK]"};
inline constexpr ClassTokens big_bird_tokens{
    "<s>", "</s>", "<unk>", "[SEP]", "<pad>", "[CLS]", "[MASK]", true, ClassTokens::Normalized::all};
inline constexpr ClassTokens deberta_tokens{
    "[CLS]", "[SEP]", "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]", false, ClassTokens::Normalized::unk};
inline constexpr ClassTokens gpt2_tokens{"<|endoftext|>", "<|endoftext|>", "<|endoftext|>", {}, {}, {}, {}};

// The class's special tokens as the files spell and flag them, in the order in which transformers adds them.
std::vector<AddedToken> special_tokens(const ClassTokens& tokens, const TokenizerConfig& config);

// How the files spell a special token of the class: name "cls_token", usual tokens.cls.
std::string special_spelling(const TokenizerConfig& config, std::string_view name, std::string_view usual);

// "XLMRoberta" of "XLMRobertaTokenizerFast".
std::string_view without_suffixes(std::string_view tokenizer_class);

// Throws E_UNSUPPORTED_TOKENIZER: a folder of that class needs tokenizer.json, `file` alone does not do.
[[noreturn]] void refuse_class(const TextPiece& tokenizer_class, const File& file);

// The tokenizer class without "Tokenizer" and "Fast": "XLMRoberta". Where tokenizer_config.json does not name
// one, it follows from config.json's model_type; empty where neither tells.
std::string tokenizer_kind(const TokenizerConfig& config);

// Whether transformers' class, by its name or the model_type, is one that makes its text parts anew from
// tokenizer_config.json, whatever tokenizer.json says: BertTokenizer and its kin the normalizer, RobertaTokenizer and
// LongformerTokenizer the prefix space and the trimming of offsets. False where neither is told.
bool normalizes_as_bert(const TokenizerConfig& config);
bool prefixes_as_roberta(const TokenizerConfig& config);

// Whether transformers' class hands its model the types of tokens where model_input_names does not tell. In what versions 4
// and 5 do differently (ALBERT, RoFormer, PreTrainedTokenizerFast) as version 4, by which such models were trained.
bool class_gives_token_types(const TokenizerConfig& config);

}  // namespace headlight
