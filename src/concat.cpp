#include "concat.h"

namespace headlight {

void TextPiece::set(unsigned long long size, bool negative) {
  if (negative) digits_[0] = '-';
  char* const begin = digits_ + (negative ? 1 : 0);
  size_ = static_cast<unsigned char>(std::to_chars(begin, digits_ + sizeof digits_, size).ptr - digits_);
}

std::string concat(std::initializer_list<TextPiece> pieces) {
  std::string text;
  for (const TextPiece& piece : pieces) text += piece.view();
  return text;
}

}  // namespace headlight
