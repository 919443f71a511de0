// A few facts by hand; sweep_test.cpp holds the tables against the library they come from.
#include "text/unicode.h"

#include <catch2/catch_test_macros.hpp>

#include "text/aligned_text.h"

namespace headlight::test {
namespace {

std::u32string lower(char32_t c) {
  std::u32string text;
  unicode::append_lowercase(c, text);
  return text;
}

AlignedText decomposed(std::u32string_view original) {
  AlignedText text(original, 0);
  to_normal_form(text, NormalForm::nfd);
  return text;
}

TEST_CASE("properties of code points") {
  CHECK(unicode::has(U'\u00A0', unicode::whitespace));
  CHECK(unicode::has(U'\u3000', unicode::whitespace));
  CHECK_FALSE(unicode::has(U'\u200B', unicode::whitespace));
  CHECK(unicode::has(U'\u200B', unicode::removed_by_clean_text));
  CHECK_FALSE(unicode::has(U'\n', unicode::removed_by_clean_text));
  CHECK(unicode::has(U'$', unicode::punctuation));
  CHECK_FALSE(unicode::has(U'€', unicode::punctuation));
  CHECK(unicode::has(U'\u0301', unicode::nonspacing_mark));
  CHECK(unicode::has(U'上', unicode::chinese));
  CHECK_FALSE(unicode::has(U'あ', unicode::chinese));
  CHECK(unicode::has(U'_', unicode::word));
  CHECK_FALSE(unicode::has(U'-', unicode::word));
  CHECK(unicode::properties(0x10FFFD) == unicode::removed_by_clean_text);  // private use
  CHECK(unicode::properties(0x10FFFF) == 0);
}

TEST_CASE("lower case is of each code point alone") {
  CHECK(lower(U'A') == U"a");
  CHECK(lower(U'Σ') == U"σ");
  CHECK(lower(U'İ') == U"i\u0307");
  CHECK(lower(U'ẞ') == U"ß");
  CHECK(lower(U'Ǆ') == U"ǆ");
  CHECK(lower(U'上') == U"上");
}

TEST_CASE("canonical decomposition") {
  CHECK(decomposed(U"Å\u212B").code_points == U"A\u030AA\u030A");
  CHECK(decomposed(U"\u1F82").code_points == U"\u03B1\u0313\u0300\u0345");
  CHECK(decomposed(U"각가").code_points == U"\u1100\u1161\u11A8\u1100\u1161");
  CHECK(decomposed(U"\uF900").code_points == U"\u8C48");
  CHECK(decomposed(U"ﬁ").code_points == U"ﬁ");
  CHECK(unicode::combining_class(U'\u0301') == 230);
  CHECK(unicode::combining_class(U'\u0327') == 202);
  CHECK(unicode::combining_class(U'a') == 0);
}

TEST_CASE("marks are ordered, and the alignment follows the places") {
  const AlignedText text = decomposed(U"a\u0301\u0327é");
  CHECK(text.code_points == U"a\u0327\u0301e\u0301");
  CHECK(text.spans == std::vector<Span>{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {3, 4}});
}

}  // namespace
}  // namespace headlight::test
