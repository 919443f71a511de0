#pragma once

#include <span>

#include "headlight.h"
#include "text/tokenizer_model.h"

namespace headlight {

// Reads the tokenizer of a model folder: tokenizer.json, else the vocabulary files of an older kind. Throws as
// Tokenizer::from_files.
TokenizerParts read_tokenizer(std::span<const File> files);

}  // namespace headlight
