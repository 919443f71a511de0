// A letter, any code point and a letter, against digests of what Hugging Face's tokenizers make of them
// (scripts/unicode/make_sweep_digest.py). HEADLIGHT_SWEEP_LIST=DIR writes every line, to be compared.
#include <cstdio>
#include <cstdlib>

#include "text/bert_normalizer.h"
#include "text/bert_pre_tokenizer.h"
#include "text/text_support.h"
#include "text/utf8.h"

namespace headlight::test {
namespace {

constexpr char32_t code_point_end = 0x110000;

void append_line(const BertNormalizer& normalizer, char32_t code_point, std::string& lines) {
  const char32_t original[] = {U'a', code_point, U'b'};
  PreTokenizedText text{AlignedText(std::u32string_view(original, 3), 0), {}};
  normalizer.normalize(text.text);
  text.pieces = {{0, text.text.size()}};
  BertPreTokenizer().pre_tokenize(text);

  char number[8];
  std::snprintf(number, sizeof number, "%X", static_cast<unsigned>(code_point));
  lines += number;
  for (const auto& [begin, end] : text.pieces) {
    const Span span = text.text.span(begin, end);
    lines += '\t' + encode_utf8(std::u32string_view(text.text.code_points).substr(begin, end - begin)) + ' ' +
             std::to_string(span.start) + ' ' + std::to_string(span.end);
  }
  lines += '\n';
}

std::string fnv1a(std::string_view bytes) {
  std::uint64_t digest = 0xCBF29CE484222325;
  for (const char byte : bytes) digest = (digest ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(digest));
  return text;
}

void append_tokens(const Tokenizer& tokenizer, char32_t code_point, std::string& lines) {
  const char32_t original[] = {U'a', code_point, U'b'};
  const Encoding encoding = tokenizer.encode({encode_utf8(std::u32string_view(original, 3)), std::nullopt});
  char number[8];
  std::snprintf(number, sizeof number, "%X", static_cast<unsigned>(code_point));
  lines += number;
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    const Span span = encoding.code_point_offsets[i];
    lines += '\t' + encoding.tokens[i] + ' ' + std::to_string(span.start) + ' ' + std::to_string(span.end);
  }
  lines += '\n';
}

// append(code_point, lines) appends a code point's line.
template <typename Append>
void check_sweep(const std::string& name, Append append) {
  const json expected = json::parse(read_file(text_data() / "sweep.json"));
  const auto block = expected["block"].get<char32_t>();
  const json& digests = expected["digests"][name];
  REQUIRE(digests.size() == code_point_end / block);
  const char* list = std::getenv("HEADLIGHT_SWEEP_LIST");
  std::string all;
  for (char32_t start = 0; start < code_point_end; start += block) {
    std::string lines;
    for (char32_t c = start; c < start + block; ++c) {
      if (c < 0xD800 || c > 0xDFFF) append(c, lines);
    }
    INFO("code points from " << static_cast<unsigned>(start));
    CHECK(fnv1a(lines) == digests[start / block].get<std::string>());
    if (list != nullptr) all += lines;
  }
  if (list != nullptr) write_file(std::filesystem::path(list) / (name + ".txt"), all);
}

void check_normalizer(const std::string& name, const BertNormalizer& normalizer) {
  check_sweep(name, [&](char32_t c, std::string& lines) { append_line(normalizer, c, lines); });
}

void check_tokenizer(const std::string& name) {
  const json document = json::parse(read_file(text_data() / "sweep.json"))["documents"][name];
  const File files[] = {{"tokenizer.json", document.dump()}};
  const Tokenizer tokenizer = Tokenizer::from_files(files);
  check_sweep(name, [&](char32_t c, std::string& lines) { append_tokens(tokenizer, c, lines); });
}

TEST_CASE("every code point between letters is normalized and split as by Hugging Face's tokenizers") {
  SECTION("uncased") { check_normalizer("uncased", BertNormalizer({})); }
  SECTION("cased") {
    check_normalizer("cased", BertNormalizer({.strip_accents = false, .lowercase = false}));
  }
}

TEST_CASE("every code point between letters becomes the tokens of Hugging Face's tokenizers") {
  SECTION("byte-level BPE") { check_tokenizer("byte-level"); }
  SECTION("Unigram") { check_tokenizer("unigram"); }
}

}  // namespace
}  // namespace headlight::test
