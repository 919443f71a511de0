#pragma once

#include <memory>
#include <string>

#include "text/json_file.h"
#include "text/normalizer.h"
#include "text/regex.h"

namespace headlight {

// tokenizer.json's "normalizer". Throws E_INVALID_TOKENIZER, and E_UNSUPPORTED_TOKENIZER for types that are not
// known.
std::unique_ptr<Normalizer> read_normalizer(const JsonField& field);

// {"String": ".."} or {"Regex": ".."}.
Regex read_pattern(const JsonField& field);

}  // namespace headlight
