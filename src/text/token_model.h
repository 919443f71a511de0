#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/vocabulary.h"

namespace headlight {

// Turns a piece of text into tokens: tokenizer.json's "model".
class TokenModel {
 public:
  struct Token {
    std::int32_t id;
    std::size_t begin,
        end;  // bytes within the piece; not empty; neither goes back; may lie within a code point
    bool literal = false;  // is told as the piece spells it, not as the vocabulary does
  };

  virtual ~TokenModel() = default;
  virtual const Vocabulary& vocabulary() const = 0;
  // Appends the tokens of a piece, which is valid UTF-8 and not empty.
  virtual void tokenize(std::string_view piece, std::vector<Token>& tokens) const = 0;
  // Whether tokens that continue a word are spelt with a mark.
  virtual bool marks_continuations() const { return false; }
};

}  // namespace headlight
