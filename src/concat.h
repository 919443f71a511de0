// Text put together from pieces. What an ordinary sum of strings makes of each message, with a temporary and its clean-up for
// every piece, would be a good part of the WebAssembly module.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

namespace headlight {

// A text, a whole number in decimal, or a list of such pieces. A piece refers to what it is made of and has nothing to clean up:
// it is for the arguments of one call.
class TextPiece {
 public:
  constexpr TextPiece() : text_("") {}
  constexpr TextPiece(const char* text) : text_(text) {}
  constexpr TextPiece(std::string_view text)
      : kind_(Kind::view), size_(static_cast<std::uint32_t>(text.size())), text_(text.data()) {}
  TextPiece(const std::string& text) : kind_(Kind::string), string_(&text) {}
  TextPiece(char letter) : kind_(Kind::letter), number_(static_cast<unsigned char>(letter)) {}
  template <std::unsigned_integral Number>
  TextPiece(Number number) : kind_(Kind::number), number_(number) {}
  template <std::signed_integral Number>
  TextPiece(Number number)
      : kind_(Kind::signed_number), number_(static_cast<std::uint64_t>(static_cast<std::int64_t>(number))) {}
  TextPiece(std::initializer_list<TextPiece> pieces)
      : kind_(Kind::list), size_(static_cast<std::uint32_t>(pieces.size())), pieces_(std::data(pieces)) {}

  void append_to(std::string& text) const;

 private:
  enum class Kind : std::uint32_t { literal, view, string, letter, number, signed_number, list };

  Kind kind_ = Kind::literal;
  std::uint32_t size_ = 0;  // of a view or a list
  union {
    const char* text_;
    const std::string* string_;
    const TextPiece* pieces_;
    std::uint64_t number_;
  };
};

std::string concat(const TextPiece& text);

}  // namespace headlight
