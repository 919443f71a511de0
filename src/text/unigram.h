#pragma once

#include <string>

#include "text/token_model.h"
#include "text/token_trie.h"

namespace headlight {

// Of all ways to cut a piece into tokens takes the one whose scores, logarithms of probabilities, have the
// greatest sum (Kudo 2018, section 3.2), by Viterbi's algorithm with the ties of Hugging Face's tokenizers.
// O(n * length of the longest token).
class Unigram : public TokenModel {
 public:
  static constexpr std::size_t max_token_length = 1024;  // bytes; SentencePiece's default is 16 code points

  struct Options {
    std::int32_t unk_id = 0;     // of code points that are no tokens; neighbouring ones become one token
    bool byte_fallback = false;  // they become the tokens <0x00> .. <0xFF> of their bytes if all are there
  };

  // scores: by id, one for each id of the vocabulary. `file` is named in errors. Throws E_INVALID_TOKENIZER for
  // a wrong number of scores, one that is not finite, and an unk_id that is no token; E_UNSUPPORTED_TOKENIZER
  // for a token that is too long.
  Unigram(Vocabulary vocabulary, std::vector<double> scores, const Options& options, const std::string& file);

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  void tokenize(std::string_view piece, std::vector<Token>& tokens) const override;

 private:
  void append(std::string_view piece, std::size_t begin, std::size_t end, std::vector<Token>& tokens) const;

  Vocabulary vocabulary_;
  std::vector<double> scores_;
  double unk_score_;
  TokenTrie trie_;
  Options options_;
};

}  // namespace headlight
