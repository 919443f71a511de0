#pragma once

#include "headlight.h"
#include "text/tokenizer_model.h"

namespace headlight {

struct TokenizerConfig;

// Reads tokenizer.json. What transformers' class takes from tokenizer_config.json instead is taken from `config`, as
// transformers 4 and 5 do alike. Its "truncation" and "padding" are not looked at: the caller says what it wants.
// Throws E_INVALID_TOKENIZER, and E_UNSUPPORTED_TOKENIZER with the name of a part and its type.
TokenizerParts read_tokenizer_json(const File& file, const TokenizerConfig& config);

}  // namespace headlight
