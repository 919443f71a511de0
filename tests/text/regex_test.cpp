#include "text/regex.h"

#include "text/text_support.h"
#include "text/utf8.h"

namespace headlight::test {
namespace {

using Matches = std::vector<Regex::Match>;

Matches find(std::u32string_view pattern, std::u32string_view text) { return Regex(pattern).find_all(text); }

std::string refusal(std::u32string_view pattern) {
  try {
    const Regex regex(pattern);
  } catch (const Error& error) {
    CHECK(error.code_name() == "E_UNSUPPORTED_TOKENIZER");
    return error.message();
  }
  return "none";
}

TEST_CASE("the first alternative that leads to a match counts, as with backtracking") {
  CHECK(find(U"a|ab", U"ab") == Matches{{0, 1}});
  CHECK(find(U"(?:a|ab)c", U"abc") == Matches{{0, 3}});
  CHECK(find(U"a*?b|a", U"aab") == Matches{{0, 3}});
  CHECK(find(U"a+?", U"aaa") == Matches{{0, 1}, {1, 2}, {2, 3}});
  CHECK(find(U"a{2,3}", U"aaaaaa") == Matches{{0, 3}, {3, 6}});
}

TEST_CASE("empty matches stand where the library has them") {
  CHECK(find(U"x*", U"axxb") == Matches{{0, 0}, {1, 3}, {4, 4}});
  CHECK(find(U"(?:|a)+", U"aa") == Matches{{0, 0}, {1, 1}, {2, 2}});
  CHECK(find(U"(?=b)", U"ab") == Matches{{1, 1}});
}

TEST_CASE("conditions look at the text around a place") {
  CHECK(find(U"\\s+(?!\\S)|\\s+", U"a   b  ") == Matches{{1, 3}, {3, 4}, {5, 7}});
  CHECK(find(U"^a$", U"a\nab\na") == Matches{{0, 1}, {5, 6}});
  CHECK(find(U"(?<!a)b", U"abb") == Matches{{2, 3}});
  CHECK(find(U"\\bb\\B", U"b bc ab") == Matches{{2, 3}});
  CHECK(find(U"\\d{1,3}(?=(?:\\d{3})*\\z)", U"1234567") == Matches{{0, 1}, {1, 4}, {4, 7}});
}

TEST_CASE("classes hold what the library's hold") {
  CHECK(find(U"[^\\s\\p{L}\\p{N}]+", U"a!? 1\u00B2\u2460b") == Matches{{1, 3}});
  CHECK(find(U"(?i:'S|'k)", U"'s'\u017F'K'\u212A't") == Matches{{0, 2}, {2, 4}, {4, 6}, {6, 8}});
  CHECK(find(U"[a-c[x-z]\\-\\]]+", U"abcxyz-]d") == Matches{{0, 8}});
  CHECK(find(U"\\x41\\x{1F600}\\u00e9", U"A\U0001F600\u00E9") == Matches{{0, 3}});
  CHECK(find(U"\\p{Han}+|\\p{^L}", U"\u4E00\u4E01a1") == Matches{{0, 2}, {3, 4}});
}

TEST_CASE("what the grammar lacks is refused by name and place") {
  CHECK(refusal(U"ab(?>c)") == "the regular expression \"ab(?>c)\" has the group (?>c at character 3");
  for (const auto* pattern :
       {U"a++",     U"(a)\\1",       U"(?<n>a)",     U"(?<=ab)c", U"[[:alpha:]]", U"[a&&b]", U"(?m:.)",
        U"\\R",     U"\\p{Klingon}", U"[",           U"(",        U")",           U"*a",     U"a{2}?",
        U"a{3,2}",  U"[b-a]",        U"[]",          U"\\",       U"\\p",         U"\\p{L",  U"\\x{110000}",
        U"\\uD800", U"(?i:ss)",      U"(?i:\u00E9)", U"(*x)",     U"(a|(^)){2}"}) {
    INFO(encode_utf8(pattern));
    CHECK(refusal(pattern) != "none");
  }
}

TEST_CASE("patterns that make backtracking explode take one pass over a small program") {
  const std::u32string text(20'000, U'a');
  for (const auto* pattern : {U"(a*)*b", U"(a|aa)+b", U"(a|a?)+b", U"(?:a*){1,8}b", U"(?:(?:a*)*)*b"}) {
    INFO(encode_utf8(pattern));
    const Regex regex(pattern);
    CHECK(regex.program_size() <= 100);
    CHECK(regex.find_all(text).empty());
  }
  // Every match looks through the rest of the text; that too is one pass.
  CHECK(find(U"a*b|a", text).size() == text.size());
}

TEST_CASE("programs, nesting and repetition are limited") {
  const auto nested = [](std::size_t depth) {
    return std::u32string(depth, U'(') + U'a' + std::u32string(depth, U')');
  };
  CHECK(refusal(nested(40)) == "none");
  CHECK(refusal(nested(100'000)) != "none");
  CHECK(refusal(nested(1000)) != "none");
  CHECK(refusal(std::u32string(60, U'[') + U"a" + std::u32string(60, U']')) != "none");
  CHECK(refusal(U"a{5000}") != "none");
  CHECK(refusal(U"(?:(?:a{60}){60}){60}") != "none");
  CHECK(refusal(U"(?:(?:(?:){4000}){4000}){4000}") != "none");
  CHECK(refusal(U"a" + std::u32string(1000, U'?')) != "none");
  std::u32string classes;
  for (char32_t c = 0x4E00; c < 0x4E00 + 65; ++c) classes += c;
  CHECK(refusal(classes) != "none");
}

TEST_CASE("a text to be found stands for itself") {
  CHECK(Regex::literal(U"``").find_all(U"a```b``") == Matches{{1, 3}, {5, 7}});
  CHECK(Regex::literal(U".*").find_all(U"a.*") == Matches{{1, 3}});
}

}  // namespace
}  // namespace headlight::test
