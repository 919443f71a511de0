#include "text/byte_level_processing.h"

#include <algorithm>

#include "text/byte_alphabet.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace headlight {

Span without_spaces(std::string_view token, Span span, bool first, bool add_prefix_space) {
  const std::u32string letters = decode_utf8(token);
  const auto is_word = [](char32_t c) {
    return c != letter_of_byte(' ') && !unicode::has(c, unicode::whitespace);
  };
  const auto begin = std::find_if(letters.begin(), letters.end(), is_word);
  const auto end = std::find_if(letters.rbegin(), letters.rend(), is_word);
  auto leading = static_cast<std::uint32_t>(begin - letters.begin());
  const auto trailing = static_cast<std::uint32_t>(end - letters.rbegin());
  if (leading == 1 && add_prefix_space && (first || span.start == 0)) leading = 0;
  span.start = std::min(span.start + leading, span.end);
  if (span.end >= trailing) span.end = std::max(span.end - trailing, span.start);
  return span;
}

ByteLevelProcessing::ByteLevelProcessing(const Options& options)
    : options_(options),
      single_{{TemplatePart::Kind::text, 0, {}, {}}},
      pair_{{TemplatePart::Kind::text, 0, {}, {}}, {TemplatePart::Kind::text_pair, 1, {}, {}}} {}

Span ByteLevelProcessing::trimmed(std::string_view token, Span span, bool first) const {
  return options_.trim_offsets ? without_spaces(token, span, first, options_.add_prefix_space) : span;
}

}  // namespace headlight
