#pragma once

#include "headlight.h"
#include "text/tokenizer_config.h"

namespace headlight {

// Builds the tokenizer of RoBERTa, Longformer or GPT-2 from vocab.json, an object of tokens and ids, merges.txt,
// a pair of tokens a line, and what tokenizer_config.json says. Throws E_INVALID_TOKENIZER, and
// E_UNSUPPORTED_TOKENIZER for a tokenizer class that works otherwise.
TokenizerParts read_vocab_json(const File& vocab, const File& merges, const TokenizerConfig& config);

}  // namespace headlight
