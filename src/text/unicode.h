// What Unicode says of code points, as Hugging Face's tokenizers see it. The tables are generated from that
// library (scripts/unicode/make_unicode_tables.py); the Unicode versions are therefore its, part by part.
#pragma once

#include <cstdint>
#include <string>

namespace headlight::unicode {

enum Property : std::uint8_t {
  removed_by_clean_text = 1 << 0,  // control, format and private-use characters but tab, line feed, return
  whitespace = 1 << 1,
  punctuation = 1 << 2,  // Unicode's punctuation and all ASCII symbols
  nonspacing_mark = 1 << 3,
  word = 1 << 4,     // \w of regular expressions
  chinese = 1 << 5,  // the CJK ideographs that BERT sets apart
  has_lowercase = 1 << 6,
  decomposes = 1 << 7,  // has a canonical decomposition or a canonical combining class other than 0
};

// The bits of Property that hold. For code points up to U+10FFFF.
std::uint8_t properties(char32_t code_point);

inline bool has(char32_t code_point, Property property) { return properties(code_point) & property; }

// Appends the lower case, which depends on nothing but the code point (no final sigma).
void append_lowercase(char32_t code_point, std::u32string& text);

// Appends the full canonical decomposition; of a code point without one, itself.
void append_decomposition(char32_t code_point, std::u32string& text);

// Canonical combining class, 0 for starters.
std::uint8_t combining_class(char32_t code_point);

}  // namespace headlight::unicode
