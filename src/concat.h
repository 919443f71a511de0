// Text put together from pieces. What an ordinary sum of strings makes of each message, with a temporary and its clean-up for
// every piece, would be a good part of the WebAssembly module.
#pragma once

#include <charconv>
#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

namespace headlight {

// A piece of text, or a whole number in decimal.
class TextPiece {
 public:
  TextPiece(std::string_view text) : text_(text) {}
  TextPiece(const char* text) : text_(text) {}
  TextPiece(const std::string& text) : text_(text) {}
  TextPiece(char letter) : digits_{letter}, size_(1) {}
  template <std::unsigned_integral Number>
  TextPiece(Number number) {
    set(number, false);
  }
  template <std::signed_integral Number>
  TextPiece(Number number) {
    set(number < 0 ? 0 - static_cast<unsigned long long>(number) : static_cast<unsigned long long>(number),
        number < 0);
  }

  std::string_view view() const { return size_ > 0 ? std::string_view(digits_, size_) : text_; }

 private:
  void set(unsigned long long size, bool negative);

  std::string_view text_;
  char digits_[24];
  unsigned char size_ = 0;  // of digits_, where the piece is a number
};

std::string concat(std::initializer_list<TextPiece> pieces);

}  // namespace headlight
