// GPT-2's alphabet, its way of cutting text, SentencePiece's marks, and decoders.
#include "text/byte_alphabet.h"
#include "text/byte_fallback_decoder.h"
#include "text/byte_level_decoder.h"
#include "text/byte_level_pre_tokenizer.h"
#include "text/byte_level_processing.h"
#include "text/byte_token.h"
#include "text/metaspace.h"
#include "text/text_support.h"
#include "text/utf8.h"

namespace headlight::test {
namespace {

// Pieces as "spelling start-end".
std::vector<std::string> pieces(const PreTokenizer& pre_tokenizer, std::string_view utf8,
                                std::size_t start = 0) {
  const std::u32string original = decode_utf8(utf8);
  PreTokenizedText text{AlignedText(original, start), {{0, original.size()}}};
  pre_tokenizer.pre_tokenize(text);
  std::vector<std::string> result;
  for (const auto& [begin, end] : text.pieces) {
    const Span span = text.text.span(begin, end);
    result.push_back(encode_utf8(std::u32string_view(text.text.code_points).substr(begin, end - begin)) +
                     " " + std::to_string(span.start) + "-" + std::to_string(span.end));
  }
  return result;
}

using Pieces = std::vector<std::string>;

TEST_CASE("every byte has a letter of its own, printable ones their own") {
  std::u32string letters;
  for (int byte = 0; byte < 256; ++byte) {
    letters += letter_of_byte(static_cast<std::uint8_t>(byte));
    CHECK(byte_of_letter(letters.back()) == byte);
  }
  CHECK(letter_of_byte(' ') == U'Ġ');
  CHECK(letter_of_byte('\n') == U'Ċ');
  CHECK(letter_of_byte('a') == U'a');
  CHECK(letter_of_byte(0xAD) == U'\u0143');
  std::sort(letters.begin(), letters.end());
  CHECK(std::unique(letters.begin(), letters.end()) == letters.end());
  std::size_t known = 0;
  for (char32_t c = 0; c < 0x110000; ++c) known += byte_of_letter(c).has_value();
  CHECK(known == 256);
}

TEST_CASE("GPT-2's pattern") {
  const ByteLevelPreTokenizer plain({.add_prefix_space = false, .use_regex = true});
  CHECK(pieces(plain, "I'll pay $42, ok") ==
        Pieces{"I 0-1", "'ll 1-4", "Ġpay 4-8", "Ġ$ 8-10", "42 10-12", ", 12-13", "Ġok 13-16"});
  CHECK(pieces(plain, "a  b \n") == Pieces{"a 0-1", "Ġ 1-2", "Ġb 2-4", "ĠĊ 4-6"});
  CHECK(pieces(plain, "a\n b\tc") == Pieces{"a 0-1", "Ċ 1-2", "Ġb 2-4", "ĉ 4-5", "c 5-6"});
  CHECK(pieces(plain, "'S's't") == Pieces{"' 0-1", "S 1-2", "'s 2-4", "'t 4-6"});
  CHECK(pieces(plain, "é上") == Pieces{"Ã©ä¸Ĭ 0-2"});
  const ByteLevelPreTokenizer prefixed({.add_prefix_space = true, .use_regex = false});
  CHECK(pieces(prefixed, "a b", 5) == Pieces{"ĠaĠb 5-8"});
  CHECK(pieces(prefixed, " a") == Pieces{"Ġa 0-2"});
}

TEST_CASE("marks for spaces") {
  const auto of = [](Metaspace::Prepend prepend, bool split, std::size_t start = 0) {
    return pieces(MetaspacePreTokenizer({.prepend = prepend, .split = split}), "a  b", start);
  };
  using Prepend = Metaspace::Prepend;
  CHECK(of(Prepend::always, true) == Pieces{"▁a 0-1", "▁ 1-2", "▁b 2-4"});
  CHECK(of(Prepend::never, true) == Pieces{"a 0-1", "▁ 1-2", "▁b 2-4"});
  CHECK(of(Prepend::first, false) == Pieces{"▁a▁▁b 0-4"});
  CHECK(of(Prepend::first, false, 3) == Pieces{"a▁▁b 3-7"});
  CHECK(pieces(MetaspacePreTokenizer({}), " a") == Pieces{"▁a 0-2"});
}

std::string decoded(const Decoder& decoder, std::vector<std::string> tokens) {
  decoder.decode(tokens);
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

TEST_CASE("decoders turn tokens back into text") {
  CHECK(decoded(ByteLevelDecoder(), {"ĠaÃ", "©", "Ċ"}) == " aé\n");
  CHECK(decoded(ByteLevelDecoder(), {"Ã", "a"}) == "\uFFFDa");
  CHECK(decoded(ByteLevelDecoder(), {"上", "Ġ"}) == "上 ");
  CHECK(decoded(MetaspaceDecoder({}), {"▁a▁b", "▁c"}) == "ab c");
  CHECK(decoded(MetaspaceDecoder({.prepend = Metaspace::Prepend::never}), {"▁a", "▁c"}) == " a c");
  CHECK(decoded(ByteFallbackDecoder(), {"a", "<0xC3>", "<0xa9>", "<0x4>"}) == "aé<0x4>");
  CHECK(decoded(ByteFallbackDecoder(), {"<0xC3>", "b", "<0xA9>", "<0xA9>"}) == "\uFFFDb\uFFFD\uFFFD");
  CHECK(byte_token(0x0A) == "<0x0A>");
  CHECK(byte_of_token("<0x0G>") == std::nullopt);
}

TEST_CASE("spans lose the whitespace of their tokens") {
  CHECK(without_spaces("Ġa", {3, 5}, false, false) == Span{4, 5});
  CHECK(without_spaces("Ġa", {0, 1}, true, true) == Span{0, 1});  // the space was not in the text
  CHECK(without_spaces("ĠĠa", {0, 3}, true, true) == Span{2, 3});
  CHECK(without_spaces("aĠ ", {0, 3}, true, true) == Span{0, 1});
  CHECK(without_spaces("Ġ", {4, 5}, false, true) == Span{5, 5});
  CHECK(without_spaces("", {4, 5}, false, true) == Span{4, 5});
}

}  // namespace
}  // namespace headlight::test
