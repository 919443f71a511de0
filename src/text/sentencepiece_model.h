#pragma once

#include "headlight.h"
#include "text/tokenizer_config.h"

namespace headlight {

// Builds the tokenizer of ALBERT, BigBird, CamemBERT, DeBERTa-v2 or XLM-RoBERTa from a SentencePiece model and what
// tokenizer_config.json says, as transformers converts it. Throws E_INVALID_TOKENIZER, and E_UNSUPPORTED_TOKENIZER for
// other tokenizer classes and where the files do not tell the class.
TokenizerParts read_sentencepiece_model(const File& file, const TokenizerConfig& config);

}  // namespace headlight
