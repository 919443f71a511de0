#pragma once

#include <memory>

#include "text/json_file.h"
#include "text/metaspace.h"
#include "text/pre_tokenizer.h"

namespace headlight {

struct TokenizerConfig;

// tokenizer.json's "pre_tokenizer". Throws E_INVALID_TOKENIZER, and E_UNSUPPORTED_TOKENIZER for types that are not
// known.
std::unique_ptr<PreTokenizer> read_pre_tokenizer(const JsonField& field);

// The same with ByteLevel's prefix space from `config`, where the class takes it from there (prefixes_as_roberta).
std::unique_ptr<PreTokenizer> read_class_pre_tokenizer(const JsonField& field, const TokenizerConfig& config);

// The options of a pre-tokenizer or a decoder.
Metaspace read_metaspace(const JsonField& field);

}  // namespace headlight
