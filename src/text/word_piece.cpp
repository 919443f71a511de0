#include "text/word_piece.h"

#include <algorithm>

#include "text/utf8.h"

namespace headlight {

WordPiece::WordPiece(Vocabulary vocabulary, const Options& options, const std::string& file)
    : vocabulary_(std::move(vocabulary)),
      options_(options),
      unk_id_(vocabulary_.required(options_.unk_token, "unknown token", file)) {}

void WordPiece::tokenize(std::string_view piece, std::vector<Token>& tokens) const {
  const std::size_t already = tokens.size();
  const auto give_up = [&] {
    tokens.resize(already);
    tokens.push_back({unk_id_, 0, piece.size()});
  };
  const auto chars = static_cast<std::size_t>(std::count_if(piece.begin(), piece.end(), begins_code_point));
  if (chars > options_.max_input_chars_per_word) return give_up();

  for (std::size_t begin = 0; begin < piece.size();) {
    const std::string_view prefix = begin == 0 ? std::string_view() : options_.continuing_subword_prefix;
    const auto match = vocabulary_.longest_match(prefix, piece.substr(begin));
    if (!match) return give_up();
    tokens.push_back({match->id, begin, begin + match->length});
    begin += match->length;
  }
}

}  // namespace headlight
