#pragma once

#include "text/decoder.h"

namespace headlight {

// Reads tokens in GPT-2's alphabet as bytes, all together as UTF-8; a token with any other letter is taken as it is.
class ByteLevelDecoder : public Decoder {
 public:
  void decode(std::vector<std::string>& tokens) const override;
};

}  // namespace headlight
