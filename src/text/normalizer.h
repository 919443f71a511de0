#pragma once

#include "text/aligned_text.h"

namespace headlight {

// Changes text before it is split: tokenizer.json's "normalizer".
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual void normalize(AlignedText& text) const = 0;
};

}  // namespace headlight
