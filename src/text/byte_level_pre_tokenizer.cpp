#include "text/byte_level_pre_tokenizer.h"

#include <string_view>

#include "text/byte_alphabet.h"
#include "text/unicode.h"
#include "text/unicode_traits.h"
#include "text/utf8.h"

namespace headlight {

namespace {

constexpr std::u32string_view contractions[] = {U"'s", U"'t", U"'re", U"'ve", U"'m", U"'ll", U"'d"};

}  // namespace

ByteLevelPreTokenizer::ByteLevelPreTokenizer(const Options& options)
    : options_(options),
      letters_(*unicode::code_points_of_property("L")),
      numbers_(*unicode::code_points_of_property("N")) {}

ByteLevelPreTokenizer::Kind ByteLevelPreTokenizer::kind_of(char32_t c) const {
  if (letters_.contains(c)) return Kind::letter;
  if (numbers_.contains(c)) return Kind::number;
  return unicode::has(c, unicode::whitespace) ? Kind::space : Kind::other;
}

// The length of the next match of GPT-2's pattern:
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
std::size_t ByteLevelPreTokenizer::next_word(std::u32string_view text) const {
  for (const std::u32string_view contraction : contractions) {
    if (text.starts_with(contraction)) return contraction.size();
  }
  const auto run = [this, text](std::size_t begin) {
    const Kind kind = kind_of(text[begin]);
    std::size_t end = begin + 1;
    while (end < text.size() && kind_of(text[end]) == kind) ++end;
    return end;
  };
  if (kind_of(text[0]) != Kind::space) return run(0);
  if (text[0] == U' ' && text.size() > 1 && kind_of(text[1]) != Kind::space) return run(1);
  const std::size_t end = run(0);
  // Of several spaces before a word the last one is left for it.
  return end == text.size() || end == 1 ? end : end - 1;
}

void ByteLevelPreTokenizer::pre_tokenize(PreTokenizedText& text) const {
  PreTokenizedText result;
  std::string bytes;
  const auto spell = [&](char32_t c, Span span) {
    bytes.clear();
    append_utf8(bytes, c);
    for (const char byte : bytes) {
      result.text.append(letter_of_byte(static_cast<std::uint8_t>(byte)), span);
    }
  };
  for (const auto& piece : text.pieces) {
    AlignedText part = text.text.slice(piece.begin, piece.end);
    if (options_.add_prefix_space && part.code_points[0] != U' ') {
      part.code_points.insert(part.code_points.begin(), U' ');
      part.spans.insert(part.spans.begin(), part.spans[0]);
    }
    const std::u32string_view all = part.code_points;
    for (std::size_t begin = 0; begin < all.size();) {
      const std::size_t end = options_.use_regex ? begin + next_word(all.substr(begin)) : all.size();
      const std::size_t spelt = result.text.size();
      for (; begin < end; ++begin) spell(all[begin], part.spans[begin]);
      result.pieces.push_back({spelt, result.text.size()});
    }
  }
  text = std::move(result);
}

}  // namespace headlight
