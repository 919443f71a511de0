#pragma once

#include "headlight.h"
#include "text/tokenizer_config.h"

namespace headlight {

// Builds BERT's tokenizer from vocab.txt, a token a line, and what tokenizer_config.json says.
// Throws E_INVALID_TOKENIZER, and E_UNSUPPORTED_TOKENIZER for a tokenizer_class that works otherwise.
TokenizerParts read_vocab_txt(const File& file, const TokenizerConfig& config);

}  // namespace headlight
