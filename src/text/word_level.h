#pragma once

#include <string>

#include "text/token_model.h"

namespace headlight {

// Each piece is one token, or unknown.
class WordLevel : public TokenModel {
 public:
  // `file` is named in errors. Throws E_INVALID_TOKENIZER when the vocabulary lacks the unknown token.
  WordLevel(Vocabulary vocabulary, const std::string& unk_token, const std::string& file);

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  void tokenize(std::string_view piece, std::vector<Token>& tokens) const override;

 private:
  Vocabulary vocabulary_;
  std::int32_t unk_id_;
};

}  // namespace headlight
