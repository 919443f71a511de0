#pragma once

#include <string>

#include "text/token_model.h"

namespace headlight {

// Takes the longest token of the vocabulary again and again (Wu et al. 2016, section 4.1); a word that cannot
// be told so to its end is unknown as a whole.
class WordPiece : public TokenModel {
 public:
  struct Options {
    std::string unk_token = "[UNK]";
    std::string continuing_subword_prefix = "##";
    std::size_t max_input_chars_per_word = 100;  // code points; a longer word is unknown
  };

  // `file` is named in errors. Throws E_INVALID_TOKENIZER when the vocabulary lacks the unknown token.
  WordPiece(Vocabulary vocabulary, const Options& options, const std::string& file);

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  void tokenize(std::string_view piece, std::vector<Token>& tokens) const override;
  bool marks_continuations() const override { return !options_.continuing_subword_prefix.empty(); }

 private:
  Vocabulary vocabulary_;
  Options options_;
  std::int32_t unk_id_;
};

}  // namespace headlight
