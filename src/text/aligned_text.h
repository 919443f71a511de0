#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "headlight.h"

namespace headlight {

// Text on its way through normalization: each code point knows the span of the original text, in code
// points, that it stands for. The spans never run backwards.
struct AlignedText {
  std::u32string code_points;
  std::vector<Span> spans;   // parallel to code_points
  std::uint32_t origin = 0;  // where in the original text the whole began

  AlignedText() = default;
  // A piece of the original text that begins at its code point `start`.
  AlignedText(std::u32string_view piece, std::size_t start);

  std::size_t size() const { return code_points.size(); }
  void append(char32_t code_point, Span span);
  AlignedText slice(std::size_t begin, std::size_t end) const;
  // From the start of the first to the end of the last code point; begin < end.
  Span span(std::size_t begin, std::size_t end) const { return {spans[begin].start, spans[end - 1].end}; }
};

// Rewrites a text from its beginning to its end, carrying the alignment along.
class Rewriter {
 public:
  explicit Rewriter(AlignedText& text);
  ~Rewriter();
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;

  void replace(char32_t code_point);  // the next code point of the text becomes this one
  void insert(char32_t code_point);   // this one is added and stands for what the one before stands for
  void remove();                      // the next code point of the text is dropped
  // Hugging Face's account of a change: 1 inserts; 0 replaces the next code point of the text, and -n drops
  // the n that follow it.
  void change(char32_t code_point, std::ptrdiff_t change);

 private:
  AlignedText& text_;
  AlignedText result_;
  std::size_t next_ = 0;
};

// Unicode's normalization forms (Unicode Standard Annex #15).
enum class NormalForm { nfc, nfd, nfkc, nfkd };
void to_normal_form(AlignedText& text, NormalForm form);

// The lower case of each code point on its own.
void lowercase(AlignedText& text);

// Drops the code points for which `unwanted` holds.
template <typename Predicate>
void remove_if(AlignedText& text, Predicate unwanted) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (unwanted(text.code_points[i])) continue;
    text.code_points[kept] = text.code_points[i];
    text.spans[kept++] = text.spans[i];
  }
  text.code_points.resize(kept);
  text.spans.resize(kept);
}

}  // namespace headlight
