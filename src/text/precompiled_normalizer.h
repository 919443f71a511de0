#pragma once

#include <memory>
#include <string>

#include "text/normalizer.h"

namespace headlight {

// "Precompiled": the rules that sentencepiece compiles into a model. `charsmap` is, little-endian, the size in
// bytes of a double-array trie, its units of 32 bits (layout of darts-clone), and the zero-terminated UTF-8
// texts that the trie's values point into. Throws E_INVALID_TOKENIZER for anything else; `file` is where it was.
//
// The text is taken grapheme cluster by grapheme cluster (Unicode Standard Annex #29). One of less than 6 bytes
// that begins with a rule's key becomes that rule's text as a whole; of the others each code point is looked up.
std::unique_ptr<Normalizer> make_precompiled_normalizer(std::string charsmap, const std::string& file = {});

}  // namespace headlight
