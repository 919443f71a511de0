#include "text/metaspace.h"

#include "text/utf8.h"

namespace headlight {

void MetaspacePreTokenizer::pre_tokenize(PreTokenizedText& text) const {
  PreTokenizedText result;
  for (const auto& piece : text.pieces) {
    AlignedText part = text.text.slice(piece.begin, piece.end);
    for (char32_t& c : part.code_points) {
      if (c == U' ') c = options_.replacement;
    }
    const Span first = part.spans[0];
    std::size_t begin = result.text.size();
    if (part.code_points[0] != options_.replacement &&
        (options_.prepend == Metaspace::Prepend::always ||
         (options_.prepend == Metaspace::Prepend::first && first.start == 0))) {
      result.text.append(options_.replacement, first);
    }
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (options_.split && part.code_points[i] == options_.replacement && result.text.size() > begin) {
        result.pieces.push_back({begin, result.text.size()});
        begin = result.text.size();
      }
      result.text.append(part.code_points[i], part.spans[i]);
    }
    result.pieces.push_back({begin, result.text.size()});
  }
  text = std::move(result);
}

void MetaspaceDecoder::decode(std::vector<std::string>& tokens) const {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool drops = i == 0 && options_.prepend != Metaspace::Prepend::never;
    std::string text;
    for (const char32_t c : decode_utf8(tokens[i])) {
      if (c != options_.replacement) {
        append_utf8(text, c);
      } else if (!drops) {
        text += ' ';
      }
    }
    tokens[i] = std::move(text);
  }
}

}  // namespace headlight
