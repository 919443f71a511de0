// General categories, scripts and grapheme classes of code points, as Hugging Face's tokenizers see them. They are
// made into sets when a tokenizer is loaded.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "text/code_point_set.h"

namespace headlight::unicode {

enum class Trait : std::uint16_t {
  word = 1 << 5,            // \w of regular expressions
  combining_mark = 1 << 6,  // what StripAccents drops
  number = 1 << 7,          // what Digits sets apart
};

// What of a code point decides about the borders of grapheme clusters; Hangul syllables are by arithmetic.
enum class Cluster : std::uint8_t {
  other,
  control,
  extend,
  linker,
  zwj,
  spacing_mark,
  prepend,
  pictographic,
  consonant
};

CodePointSet code_points_with(Trait trait);
CodePointSet code_points_of(Cluster cluster);

// By the name of a property of regular expressions: a general category or a group of them ("Lu", "L", "Letter"),
// a script ("Han"), "Any" or "ASCII". Case, spaces, hyphens and underscores do not count.
std::optional<CodePointSet> code_points_of_property(std::string_view name);

}  // namespace headlight::unicode
