#include "text/bert_pre_tokenizer.h"

#include "text/unicode.h"

namespace headlight {

void BertPreTokenizer::pre_tokenize(PreTokenizedText& text) const {
  std::vector<PreTokenizedText::Piece> pieces;
  const auto add = [&pieces](std::size_t begin, std::size_t end) {
    if (begin < end) pieces.push_back({begin, end});
  };
  for (const auto& piece : text.pieces) {
    std::size_t begin = piece.begin;
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      const std::uint8_t properties = unicode::properties(text.text.code_points[i]);
      if ((properties & (unicode::whitespace | unicode::punctuation)) == 0) continue;
      add(begin, i);
      if (properties & unicode::punctuation) add(i, i + 1);
      begin = i + 1;
    }
    add(begin, piece.end);
  }
  text.pieces = std::move(pieces);
}

}  // namespace headlight
