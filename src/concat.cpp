#include "concat.h"

#include <charconv>

namespace headlight {

void TextPiece::append_to(std::string& text) const {
  switch (kind_) {
    case Kind::literal:
      text += text_;
      break;
    case Kind::view:
      text.append(text_, size_);
      break;
    case Kind::string:
      text += *string_;
      break;
    case Kind::letter:
      text += static_cast<char>(number_);
      break;
    case Kind::number:
    case Kind::signed_number: {
      const bool negative = kind_ == Kind::signed_number && static_cast<std::int64_t>(number_) < 0;
      if (negative) text += '-';
      char digits[20];
      text.append(digits,
                  std::to_chars(digits, digits + sizeof digits, negative ? 0 - number_ : number_).ptr);
      break;
    }
    case Kind::list:
      for (std::uint32_t i = 0; i < size_; ++i) pieces_[i].append_to(text);
  }
}

std::string concat(const TextPiece& text) {
  std::string result;
  text.append_to(result);
  return result;
}

}  // namespace headlight
