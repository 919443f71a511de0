#pragma once

#include "headlight.h"
#include "text/tokenizer_model.h"

namespace headlight {

// Reads tokenizer.json. Its "truncation" and "padding" are not looked at: the caller says what it wants.
// Throws E_INVALID_TOKENIZER, and E_UNSUPPORTED_TOKENIZER with the name of a part and its type.
TokenizerParts read_tokenizer_json(const File& file);

}  // namespace headlight
