// Compatibility decompositions and compositions (Unicode Standard Annex #15), as Hugging Face's tokenizers have them.
#pragma once

#include <string>

namespace headlight::unicode {

// Appends the full compatibility decomposition; of a code point without one, the canonical decomposition.
void append_compatibility_decomposition(char32_t code_point, std::u32string& text);

// The primary composite of two code points; 0 where there is none.
char32_t compose(char32_t first, char32_t second);

}  // namespace headlight::unicode
