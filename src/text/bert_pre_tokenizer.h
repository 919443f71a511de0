#pragma once

#include "text/pre_tokenizer.h"

namespace headlight {

// Splits at whitespace, which it drops, and around each punctuation mark.
class BertPreTokenizer : public PreTokenizer {
 public:
  void pre_tokenize(PreTokenizedText& text) const override;
};

}  // namespace headlight
