#include "text/word_level.h"

namespace headlight {

WordLevel::WordLevel(Vocabulary vocabulary, const std::string& unk_token, const std::string& file)
    : vocabulary_(std::move(vocabulary)), unk_id_(vocabulary_.required(unk_token, "unknown token", file)) {}

void WordLevel::tokenize(std::string_view piece, std::vector<Token>& tokens) const {
  tokens.push_back({vocabulary_.find(piece).value_or(unk_id_), 0, piece.size()});
}

}  // namespace headlight
