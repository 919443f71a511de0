// Normalizers and pre-tokenizers one by one, with the alignment of what they give, against Hugging Face's
// tokenizers (scripts/unicode/make_part_cases.py).
#include <cstdlib>

#include "text/base64.h"
#include "text/json_file.h"
#include "text/normalizer_json.h"
#include "text/pre_tokenizer_json.h"
#include "text/precompiled_normalizer.h"
#include "text/text_support.h"
#include "text/utf8.h"

namespace headlight::test {
namespace {

json spans(const AlignedText& text) {
  json result = json::array();
  for (const Span& span : text.spans) result.push_back({span.start, span.end});
  return result;
}

json normalized(const Normalizer& normalizer, const std::string& text) {
  AlignedText aligned(decode_utf8(text), 0);
  normalizer.normalize(aligned);
  return {text, encode_utf8(aligned.code_points), spans(aligned)};
}

json pre_tokenized(const PreTokenizer& pre_tokenizer, const std::string& text) {
  PreTokenizedText pre{AlignedText(decode_utf8(text), 0), {}};
  if (pre.text.size() > 0) pre.pieces.push_back({0, pre.text.size()});
  pre_tokenizer.pre_tokenize(pre);
  json pieces = json::array(), found = json::array();
  for (const auto& [begin, end] : pre.pieces) {
    pieces.push_back(encode_utf8(std::u32string_view(pre.text.code_points).substr(begin, end - begin)));
    found.push_back({pre.text.span(begin, end).start, pre.text.span(begin, end).end});
  }
  return {text, pieces, found};
}

// As in a tokenizer.json of its own.
JsonFile file_of(const json& part) { return read_json({"tokenizer.json", part.dump()}); }

template <typename Read, typename Apply>
std::size_t check_parts(const json& parts, Read read, Apply apply) {
  std::size_t compared = 0;
  for (const json& part : parts) {
    const JsonFile file = file_of(part["json"]);
    const auto step = read(JsonField(file));
    INFO(part["json"].dump(-1, ' ', true).substr(0, 300));
    for (const json& expected : part["cases"]) {
      ++compared;
      const json actual = apply(*step, expected[0].get<std::string>());
      if (actual == expected) continue;
      CHECK(actual.dump(-1, ' ', true) == expected.dump(-1, ' ', true));
    }
  }
  return compared;
}

TEST_CASE("normalizers and pre-tokenizers do what those of Hugging Face's tokenizers do", "[part-cases]") {
  const char* other = std::getenv("HEADLIGHT_PART_CASES");
  const json content = json::parse(read_file(other != nullptr ? other : text_data() / "parts.json"));
  CHECK(check_parts(content["normalizer"], read_normalizer, normalized) >= 150);
  CHECK(check_parts(content["pre_tokenizer"], read_pre_tokenizer, pre_tokenized) >= 250);
}

TEST_CASE("inserted text that begins a piece of the text stands where the piece begins") {
  const json part = {{"type", "Replace"}, {"pattern", {{"Regex", "^"}}}, {"content", "-"}};
  AlignedText text(U"ab", 7);
  const JsonFile file = file_of(part);
  read_normalizer(JsonField(file))->normalize(text);
  CHECK(spans(text) == json::parse("[[7,7],[7,8],[8,9]]"));
}

std::string little_endian(const std::vector<std::uint32_t>& values) {
  std::string bytes;
  for (const std::uint32_t value : values) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift & 0xFF);
  }
  return bytes;
}

// A trie of these units and its texts.
std::string charsmap(const std::vector<std::uint32_t>& units, const std::string& texts) {
  return little_endian({static_cast<std::uint32_t>(4 * units.size())}) + little_endian(units) + texts;
}

TEST_CASE("a charsmap that leads out of itself is refused") {
  const auto code = [](const std::string& bytes) {
    return thrown_code([&] { make_precompiled_normalizer(bytes); });
  };
  constexpr std::uint32_t has_value = 1 << 8, value = 1U << 31;
  CHECK(code("") == "E_INVALID_TOKENIZER");
  CHECK(code("\1\0\0") == "E_INVALID_TOKENIZER");
  CHECK(code(little_endian({0})) == "E_INVALID_TOKENIZER");
  CHECK(code(little_endian({8, 0})) == "E_INVALID_TOKENIZER");
  CHECK(code(little_endian({5, 0, 0})) == "E_INVALID_TOKENIZER");
  CHECK(code(little_endian({0xFFFFFFFC, 0})) == "E_INVALID_TOKENIZER");
  CHECK(code(charsmap({1 << 10 | has_value, value | 0}, std::string("x\0", 2))) == "none");
  CHECK(code(charsmap({2 << 10 | has_value, value | 0}, std::string("x\0", 2))) == "E_INVALID_TOKENIZER");
  CHECK(code(charsmap({1 << 10 | has_value, value | 2}, std::string("x\0", 2))) == "E_INVALID_TOKENIZER");
  CHECK(code(charsmap({1 << 10 | has_value, value | 1}, "\xC3\xA9")) == "E_INVALID_TOKENIZER");
  CHECK(code(charsmap({1 << 10 | has_value, value | 0}, "\xFF")) == "E_INVALID_TOKENIZER");
  // A root that leads outside is found out by the text and matches nothing.
  const auto normalizer = make_precompiled_normalizer(charsmap({0xFFFFFC00 & ~value}, "x"));
  CHECK(normalized(*normalizer, "a\u00E9")[1] == "a\u00E9");
}

TEST_CASE("base64 is decoded as it is defined") {
  CHECK(decode_base64("") == "");
  CHECK(decode_base64("Zm9vYg==") == "foob");
  CHECK(decode_base64("Zm9vYmE=") == "fooba");
  CHECK(decode_base64("+/+/") == "\xFB\xFF\xBF");
  for (const char* text : {"Z", "Zm9", "Zm9v=", "Zm9=Zm9v", "Z===", "====", "Zm 9", "Zm9vYh==", "Zm-_"}) {
    INFO(text);
    CHECK(!decode_base64(text));
  }
}

TEST_CASE("parts that are not known are refused by their names") {
  const auto message = [](auto read, const char* text) {
    const JsonFile file = read_json({"tokenizer.json", text});
    try {
      read(JsonField(file));
    } catch (const Error& error) {
      return std::string(error.code_name()) + " " + error.message();
    }
    return std::string("none");
  };
  CHECK(message(read_normalizer, R"({"type": "Klingon"})") ==
        "E_UNSUPPORTED_TOKENIZER The normalizer \"Klingon\" is not supported");
  CHECK(message(read_pre_tokenizer, R"({"type": "FixedLength", "length": 5})") ==
        "E_UNSUPPORTED_TOKENIZER The pre-tokenizer \"FixedLength\" is not supported");
  CHECK(message(read_pre_tokenizer, R"({"type": "UnicodeScripts"})").starts_with("E_UNSUPPORTED_TOKENIZER"));
  CHECK(message(read_normalizer, R"({"type": "Precompiled", "precompiled_charsmap": "?"})") ==
        "E_INVALID_TOKENIZER precompiled_charsmap must be base64");
  CHECK(message(read_normalizer, R"({"type": "Replace", "pattern": {"Regex": "a++"}, "content": ""})")
            .starts_with("E_UNSUPPORTED_TOKENIZER the regular expression"));
  CHECK(message(read_pre_tokenizer,
                R"({"type": "Split", "pattern": {"String": " "}, "behavior": "Sometimes"})") ==
        "E_UNSUPPORTED_TOKENIZER The split behavior \"Sometimes\" is not supported");
  CHECK(message(read_pre_tokenizer, R"({"type": "CharDelimiterSplit", "delimiter": "ab"})")
            .starts_with("E_INVALID_TOKENIZER"));
}

}  // namespace
}  // namespace headlight::test
