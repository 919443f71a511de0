#pragma once

#include <string>
#include <vector>

namespace headlight {

// Turns tokens back into text: tokenizer.json's "decoder".
class Decoder {
 public:
  virtual ~Decoder() = default;
  // Rewrites the tokens; what it leaves, put together, is the text.
  virtual void decode(std::vector<std::string>& tokens) const = 0;
};

}  // namespace headlight
