#include "text/aligned_text.h"

#include <algorithm>

#include "text/unicode.h"

namespace headlight {

AlignedText::AlignedText(std::u32string_view piece, std::size_t start)
    : code_points(piece), origin(static_cast<std::uint32_t>(start)) {
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
  part.origin = origin;
  part.code_points.assign(code_points, begin, end - begin);
  part.spans.assign(spans.data() + begin, spans.data() + end);
  return part;
}

Rewriter::Rewriter(AlignedText& text) : text_(text) {
  result_.code_points.reserve(text.size());
  result_.spans.reserve(text.size());
  result_.origin = text.origin;
}

Rewriter::~Rewriter() { text_ = std::move(result_); }

void Rewriter::replace(char32_t code_point) { result_.append(code_point, text_.spans[next_++]); }

void Rewriter::insert(char32_t code_point) {
  result_.append(code_point, next_ == 0 ? Span{text_.origin, text_.origin} : text_.spans[next_ - 1]);
}

void Rewriter::remove() { ++next_; }

void Rewriter::change(char32_t code_point, std::ptrdiff_t change) {
  if (change > 0) {
    insert(code_point);
  } else {
    replace(code_point);
    next_ += static_cast<std::size_t>(-change);
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
