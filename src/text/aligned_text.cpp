#include "text/aligned_text.h"

#include <algorithm>

#include "text/unicode.h"

namespace headlight {

AlignedText::AlignedText(std::u32string_view piece, std::size_t start) : code_points(piece) {
  spans.reserve(piece.size());
  for (std::size_t i = start; i < start + piece.size(); ++i) {
    spans.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + 1)});
  }
}

void AlignedText::append(char32_t code_point, Span span) {
  code_points.push_back(code_point);
  spans.push_back(span);
}

AlignedText AlignedText::slice(std::size_t begin, std::size_t end) const {
  AlignedText part;
  part.code_points.assign(code_points, begin, end - begin);
  part.spans.assign(spans.data() + begin, spans.data() + end);
  return part;
}

Rewriter::Rewriter(AlignedText& text) : text_(text) {
  result_.code_points.reserve(text.size());
  result_.spans.reserve(text.size());
}

Rewriter::~Rewriter() { text_ = std::move(result_); }

void Rewriter::replace(char32_t code_point) { result_.append(code_point, text_.spans[next_++]); }

void Rewriter::insert(char32_t code_point) {
  result_.append(code_point, next_ == 0 ? Span{} : text_.spans[next_ - 1]);
}

void Rewriter::remove() { ++next_; }

void decompose(AlignedText& text) {
  const auto unchanged = [](char32_t c) { return !unicode::has(c, unicode::decomposes); };
  if (std::all_of(text.code_points.begin(), text.code_points.end(), unchanged)) return;

  // A code point, and whether it takes the place of one of the text or is added to it. Hugging Face's
  // tokenizers sort both together, so that alignment follows the place in the text, not the mark.
  struct Part {
    char32_t code_point;
    bool replaces;
    std::uint8_t combining_class;
  };
  std::vector<Part> parts;
  parts.reserve(text.size());
  std::u32string decomposition;
  for (const char32_t code_point : text.code_points) {
    decomposition.clear();
    unicode::append_decomposition(code_point, decomposition);
    for (std::size_t i = 0; i < decomposition.size(); ++i) {
      parts.push_back({decomposition[i], i == 0, unicode::combining_class(decomposition[i])});
    }
  }

  const auto is_starter = [](const Part& part) { return part.combining_class == 0; };
  for (auto begin = parts.begin(); begin != parts.end();) {
    begin = std::find_if_not(begin, parts.end(), is_starter);
    const auto end = std::find_if(begin, parts.end(), is_starter);
    std::stable_sort(begin, end,
                     [](const Part& a, const Part& b) { return a.combining_class < b.combining_class; });
    begin = end;
  }

  Rewriter rewriter(text);
  for (const Part& part : parts) {
    part.replaces ? rewriter.replace(part.code_point) : rewriter.insert(part.code_point);
  }
}

void lowercase(AlignedText& text) {
  const auto unchanged = [](char32_t c) { return !unicode::has(c, unicode::has_lowercase); };
  if (std::all_of(text.code_points.begin(), text.code_points.end(), unchanged)) return;

  Rewriter rewriter(text);
  std::u32string lower;
  for (const char32_t code_point : std::u32string_view(text.code_points)) {
    lower.clear();
    unicode::append_lowercase(code_point, lower);
    rewriter.replace(lower[0]);
    for (std::size_t i = 1; i < lower.size(); ++i) rewriter.insert(lower[i]);
  }
}

}  // namespace headlight
