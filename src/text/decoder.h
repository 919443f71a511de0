#pragma once

#include <span>
#include <string>

namespace headlight {

// Turns tokens back into text: tokenizer.json's "decoder".
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual std::string decode(std::span<const std::string> tokens) const = 0;
};

}  // namespace headlight
