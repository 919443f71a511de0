// What a token classifier says of each token of a text, windows put together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headlight.h"

namespace headlight {

struct ScoredToken {
  std::string text;  // as the vocabulary spells it; of the unknown token what stands in the text
  std::int32_t id;
  Span offsets;  // UTF-16
  Span code_points;
  std::int32_t word_id;
  std::size_t index;           // in the text's tokens, special ones included
  std::vector<double> scores;  // [labels], softmax
};

// Tokens of a text without the special ones, and where their logits are found.
class TokenWindows {
 public:
  TokenWindows() = default;
  // passages: as passages_of() gives them, windows that share `stride` tokens.
  explicit TokenWindows(const std::vector<Encoding>& passages);

  std::size_t size() const { return tokens_.size(); }
  const std::vector<ScoredToken>& tokens() const { return tokens_; }
  // passages: one ForwardResult a window, logits [n, labels]. A token of several windows has the scores of the one in
  // which it stands farthest from an edge.
  std::vector<ScoredToken> score(const std::vector<ForwardResult>& passages) &&;

 private:
  struct Place {
    std::size_t window, row, margin;  // margin: tokens to the nearer edge
  };
  std::vector<ScoredToken> tokens_;
  std::vector<Place> places_;
};

}  // namespace headlight
