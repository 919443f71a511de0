#pragma once

#include <cstddef>
#include <vector>

#include "text/aligned_text.h"

namespace headlight {

// A text and the pieces that the model will see one by one, as ranges of its code points. A pre-tokenizer
// that changes the text builds both anew.
struct PreTokenizedText {
  struct Piece {
    std::size_t begin, end;
    bool operator==(const Piece&) const = default;
  };
  AlignedText text;
  std::vector<Piece> pieces;  // none is empty, in the order of the text
};

// Splits pieces into smaller ones: tokenizer.json's "pre_tokenizer".
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  virtual void pre_tokenize(PreTokenizedText& text) const = 0;
};

}  // namespace headlight
