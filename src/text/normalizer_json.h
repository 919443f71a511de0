#pragma once

#include <memory>
#include <string>

#include "text/json_file.h"
#include "text/normalizer.h"
#include "text/regex.h"

namespace headlight {

struct TokenizerConfig;

// tokenizer.json's "normalizer". Throws E_INVALID_TOKENIZER, and E_UNSUPPORTED_TOKENIZER for types that are not
// known.
std::unique_ptr<Normalizer> read_normalizer(const JsonField& field);

// The same with a BertNormalizer's options from `config`, where the class takes them from there (normalizes_as_bert).
std::unique_ptr<Normalizer> read_class_normalizer(const JsonField& field, const TokenizerConfig& config);

// {"String": ".."} or {"Regex": ".."}.
Regex read_pattern(const JsonField& field);

}  // namespace headlight
