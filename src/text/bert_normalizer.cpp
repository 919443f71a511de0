#include "text/bert_normalizer.h"

#include <algorithm>

#include "text/unicode.h"

namespace headlight {

namespace {

using unicode::has;

void clean(AlignedText& text) {
  remove_if(text, [](char32_t c) { return has(c, unicode::removed_by_clean_text); });
  for (char32_t& c : text.code_points) {
    if (has(c, unicode::whitespace)) c = U' ';
  }
}

void set_chinese_apart(AlignedText& text) {
  const auto is_chinese = [](char32_t c) { return has(c, unicode::chinese); };
  if (std::none_of(text.code_points.begin(), text.code_points.end(), is_chinese)) return;

  Rewriter rewriter(text);
  for (const char32_t c : std::u32string_view(text.code_points)) {
    if (is_chinese(c)) {
      rewriter.replace(U' ');
      rewriter.insert(c);
      rewriter.insert(U' ');
    } else {
      rewriter.replace(c);
    }
  }
}

void strip_accents(AlignedText& text) {
  to_normal_form(text, NormalForm::nfd);
  remove_if(text, [](char32_t c) { return has(c, unicode::nonspacing_mark); });
}

}  // namespace

void BertNormalizer::normalize(AlignedText& text) const {
  if (options_.clean_text) clean(text);
  if (options_.handle_chinese_chars) set_chinese_apart(text);
  if (options_.strip_accents) strip_accents(text);
  if (options_.lowercase) lowercase(text);
}

}  // namespace headlight
