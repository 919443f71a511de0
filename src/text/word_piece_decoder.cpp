#include "text/word_piece_decoder.h"

#include <string_view>

namespace headlight {

namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// In this order, each over what the one before has left.
constexpr std::string_view cleanups[][2] = {
    {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},    {" n't", "n't"},
    {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"},
};

}  // namespace

std::string WordPieceDecoder::decode(std::span<const std::string> tokens) const {
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::string part = tokens[i];
    if (i > 0) {
      if (part.starts_with(prefix_)) {
        part.erase(0, prefix_.size());
      } else {
        part.insert(0, 1, ' ');
      }
    }
    if (cleanup_) {
      for (const auto& [from, to] : cleanups) replace_all(part, from, to);
    }
    text += part;
  }
  return text;
}

}  // namespace headlight
