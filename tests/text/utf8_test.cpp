#include "text/utf8.h"

#include <catch2/catch_test_macros.hpp>

namespace headlight::test {
namespace {

// The number of replacement characters follows the WHATWG Encoding Standard's UTF-8 decoder.
TEST_CASE("invalid UTF-8 becomes one replacement character for each maximal part") {
  CHECK(decode_utf8("a\xC3\xA9\xE4\xB8\x8A\xF0\x9F\x98\x80") == U"aé上😀");
  CHECK(decode_utf8("\x80") == U"\uFFFD");
  CHECK(decode_utf8("\xC3") == U"\uFFFD");
  CHECK(decode_utf8("\xC3(") == U"\uFFFD(");
  CHECK(decode_utf8("\xE4\xB8") == U"\uFFFD");
  CHECK(decode_utf8("\xE4\xB8z") == U"\uFFFDz");
  CHECK(decode_utf8("\xF0\x9F\x98\xF0\x9F\x98\x80") == U"\uFFFD😀");
  CHECK(decode_utf8("\xC0\xAF") == U"\uFFFD\uFFFD");                      // overlong
  CHECK(decode_utf8("\xE0\x80\xAF") == U"\uFFFD\uFFFD\uFFFD");            // overlong
  CHECK(decode_utf8("\xED\xA0\x80") == U"\uFFFD\uFFFD\uFFFD");            // a surrogate
  CHECK(decode_utf8("\xF4\x90\x80\x80") == U"\uFFFD\uFFFD\uFFFD\uFFFD");  // past U+10FFFF
  CHECK(decode_utf8("\xFE\xFF") == U"\uFFFD\uFFFD");
  CHECK(decode_utf8(std::string_view("\0", 1)) == std::u32string(1, U'\0'));
}

TEST_CASE("every scalar value survives UTF-8") {
  std::size_t different = 0;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    append_utf8(text, c);
    different += decode_utf8(text) != std::u32string(1, c) || find_invalid_utf8(text).has_value();
  }
  CHECK(different == 0);
}

TEST_CASE("the first invalid byte is found") {
  CHECK(find_invalid_utf8("aé上😀") == std::nullopt);
  CHECK(find_invalid_utf8("aé\xFF") == 3);
  CHECK(find_invalid_utf8("上\xED\xA0\x80") == 3);
}

}  // namespace
}  // namespace headlight::test
