#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "headlight.h"
#include "text/added_tokens.h"
#include "text/decoder.h"
#include "text/normalizer.h"
#include "text/post_processor.h"
#include "text/pre_tokenizer.h"
#include "text/token_model.h"
#include "text/truncation.h"

namespace headlight {

struct SpecialIds {
  std::optional<std::int32_t> cls, sep, pad, mask, unk;
};

// How the special tokens may be spelt; the first spelling that is a token counts.
struct SpecialSpellings {
  std::vector<std::string> cls, sep, pad, mask, unk;
};

// What a reader of tokenizer files puts together. Null: the tokenizer has no such step.
struct TokenizerParts {
  std::unique_ptr<Normalizer> normalizer;
  std::unique_ptr<PreTokenizer> pre_tokenizer;
  std::unique_ptr<TokenModel> model;              // never null
  std::unique_ptr<PostProcessor> post_processor;  // null: nothing is added, type 0 and 1
  std::unique_ptr<Decoder> decoder;
  std::vector<AddedToken> added_tokens;
  SpecialSpellings special;
  std::optional<std::size_t> model_max_length;
  Side padding_side = Side::right;
  Side truncation_side = Side::right;
  bool token_types = true;  // whether a model is handed those that the post-processor gives
};

// The chain from text to tokens:
//   added tokens -> normalizer -> pre-tokenizer -> model -> truncation -> post-processor -> padding
class TokenizerModel {
 public:
  explicit TokenizerModel(TokenizerParts parts);

  Encoding encode(const Input& input, const TokenizeOptions& options) const;
  std::string decode(std::span<const std::int32_t> ids, bool skip_special_tokens) const;
  std::string join(std::vector<std::string> tokens) const;
  bool marks_continuations() const { return parts_.model->marks_continuations(); }

  std::optional<std::int32_t> token_to_id(std::string_view token) const;
  std::optional<std::string> id_to_token(std::int32_t id) const;
  std::size_t vocab_size() const;
  std::optional<std::size_t> model_max_length() const { return parts_.model_max_length; }
  const SpecialIds& special_ids() const { return special_ids_; }

 private:
  struct Token;
  struct Sequence;
  Sequence tokenize(std::string_view text, bool parse_special) const;
  void tokenize_stretch(AlignedText text, bool parse_special, Sequence& sequence) const;
  void tokenize_pieces(PreTokenizedText text, Sequence& sequence) const;
  std::size_t room_for_text(const TokenizeOptions& options, bool pair) const;
  Encoding assemble(const Template& layout, bool with_special, const Sequence* sequences,
                    const Window* chosen) const;
  void pad(Encoding& encoding, std::size_t length) const;

  TokenizerParts parts_;
  AddedTokens added_tokens_;
  SpecialIds special_ids_;
};

}  // namespace headlight
