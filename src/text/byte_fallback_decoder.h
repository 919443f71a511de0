#pragma once

#include "text/decoder.h"

namespace headlight {

// Puts neighbouring tokens of bytes, "<0x0A>", together as UTF-8; where they are none, each becomes U+FFFD.
class ByteFallbackDecoder : public Decoder {
 public:
  void decode(std::vector<std::string>& tokens) const override;
};

}  // namespace headlight
