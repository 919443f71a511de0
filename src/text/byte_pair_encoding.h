#pragma once

#include <optional>
#include <string>

#include "text/merge_list.h"
#include "text/token_model.h"

namespace headlight {

// Byte-pair encoding (Sennrich et al. 2016, section 3.2): a piece begins as its code points, and of the pairs of
// neighbours that the merges name the one of lowest rank, then the leftmost, becomes one token again and again.
// O(n log n) in the length of the piece.
class BytePairEncoding : public TokenModel {
 public:
  struct Options {
    std::optional<std::string> unk_token;   // none: code points that are no tokens are dropped
    std::string continuing_subword_prefix;  // of all code points but a piece's first
    std::string end_of_word_suffix;         // of a piece's last code point
    bool fuse_unk = false;                  // neighbouring unknown code points become one token
    bool byte_fallback = false;  // an unknown code point becomes the tokens <0x00> .. <0xFF> of its bytes
    bool ignore_merges = false;  // a piece that is a token is that token
  };

  // `file` is named in errors. Throws E_INVALID_TOKENIZER for merges of, or to, what is no token.
  BytePairEncoding(Vocabulary vocabulary, const MergeList& merges, Options options, const std::string& file);

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  // Throws E_INVALID_TOKENIZER where the unknown token is needed and the vocabulary lacks it.
  void tokenize(std::string_view piece, std::vector<Token>& tokens) const override;
  bool marks_continuations() const override { return !options_.continuing_subword_prefix.empty(); }

 private:
  struct Merge {
    std::int32_t right;   // id of the second token; the first one's is the place in first_merges_
    std::int32_t rank;    // merges of lower rank go first
    std::int32_t merged;  // id of the two as one
  };
  struct Symbol;
  const Merge* find_merge(std::int32_t left, std::int32_t right) const;
  std::vector<Symbol> split(std::string_view piece) const;
  bool append_bytes(std::string_view text, std::vector<Symbol>& symbols) const;
  void merge(std::vector<Symbol>& symbols) const;
  std::int32_t unk_id() const;

  Vocabulary vocabulary_;
  Options options_;
  std::vector<Merge> merges_;                // sorted by the left id, then by the right one
  std::vector<std::uint32_t> first_merges_;  // by left id, and one more: where its merges begin
};

}  // namespace headlight
