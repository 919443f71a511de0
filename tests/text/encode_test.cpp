// Options, bad and long texts, and what holds for every text.
#include "text/bert_normalizer.h"
#include "text/text_support.h"
#include "text/utf8.h"

namespace headlight::test {
namespace {

const TextCases& cases() {
  static const TextCases cases(text_data() / "cases.json");
  return cases;
}

const Tokenizer& uncased() { return cases().tokenizers.at("uncased"); }

std::vector<std::string> tokens(const std::string& text) {
  return uncased().encode({text, std::nullopt}).tokens;
}

using Tokens = std::vector<std::string>;

TEST_CASE("options that cannot be met are refused") {
  const auto code = [](auto change, std::optional<std::string> pair = std::nullopt) {
    TokenizeOptions options;
    change(options);
    return thrown_code([&] { uncased().encode({"the film the film", pair}, options); });
  };
  CHECK(code([](auto& o) { o.truncation = Truncation::longest_first; }) == "E_INVALID_ARGUMENT");
  CHECK(code([](auto& o) { o.pad_to_max_length = true; }) == "E_INVALID_ARGUMENT");
  CHECK(code([](auto& o) {
          o.pad_to_max_length = true;
          o.max_length = 10'000'000;
        }) == "E_INVALID_ARGUMENT");
  const auto cut_to = [&](Truncation truncation, std::size_t max_length, std::size_t stride,
                          std::optional<std::string> pair = std::nullopt) {
    return code([&](auto& o) { o.truncation = truncation, o.max_length = max_length, o.stride = stride; },
                pair);
  };
  CHECK(cut_to(Truncation::only_second, 8, 0) == "E_INVALID_ARGUMENT");
  CHECK(cut_to(Truncation::longest_first, 1, 0) == "E_INVALID_ARGUMENT");
  CHECK(cut_to(Truncation::longest_first, 2, 0) == "none");
  CHECK(cut_to(Truncation::longest_first, 2, 0, "a") == "E_INVALID_ARGUMENT");
  CHECK(cut_to(Truncation::longest_first, 4, 2) == "E_INVALID_ARGUMENT");
  CHECK(cut_to(Truncation::longest_first, 4, 1) == "none");
  CHECK(cut_to(Truncation::only_second, 6, 0, "a") == "E_INVALID_ARGUMENT");
  CHECK(cut_to(Truncation::longest_first, 7, 3, "the film the film") == "E_INVALID_ARGUMENT");

  TokenizeOptions padded;
  padded.pad_to_max_length = true;
  padded.max_length = 9;
  const File no_pad[] = {{"vocab.txt", "[UNK]\n[CLS]\n[SEP]\n"}};
  CHECK(thrown_code([&] { Tokenizer::from_files(no_pad).encode({"a", std::nullopt}, padded); }) ==
        "E_INVALID_ARGUMENT");
}

TEST_CASE("padding fills up with the pad token") {
  TokenizeOptions options;
  options.pad_to_max_length = true;
  options.max_length = 5;
  const Encoding encoding = uncased().encode({"the", std::nullopt}, options);
  CHECK(encoding.tokens == Tokens{"[CLS]", "the", "[SEP]", "[PAD]", "[PAD]"});
  CHECK(encoding.attention_mask == std::vector<std::int32_t>{1, 1, 1, 0, 0});
  CHECK(encoding.special_tokens_mask == std::vector<std::int32_t>{1, 0, 1, 1, 1});
  CHECK(encoding.sequence_ids == std::vector<std::int32_t>{-1, 0, -1, -1, -1});
  CHECK(encoding.word_ids == std::vector<std::int32_t>{-1, 0, -1, -1, -1});
  CHECK(encoding.offsets[3] == Span{0, 0});
}

TEST_CASE("special tokens in the text are tokens, or text") {
  TokenizeOptions as_text;
  as_text.parse_special_tokens = false;
  CHECK(tokens("a [SEP]") == Tokens{"[CLS]", "a", "[SEP]", "[SEP]"});
  CHECK(uncased().encode({"a [SEP]", std::nullopt}).special_tokens_mask ==
        std::vector<std::int32_t>{1, 0, 0, 1});
  CHECK(uncased().encode({"a [mask]", std::nullopt}, as_text).tokens == tokens("a [mask]"));
  const Encoding encoding = uncased().encode({"a [SEP]", std::nullopt}, as_text);
  CHECK(std::count(encoding.tokens.begin(), encoding.tokens.end(), "[SEP]") == 1);
  CHECK(encoding.tokens[2] == "[");
}

TEST_CASE("windows are left out on request") {
  TokenizeOptions options;
  options.truncation = Truncation::longest_first;
  options.max_length = 4;
  const Input input{"the film the film the film", std::nullopt};
  const Encoding with = uncased().encode(input, options);
  CHECK(with.overflow.size() == 2);
  options.overflow = false;
  const Encoding without = uncased().encode(input, options);
  CHECK(without.overflow.empty());
  CHECK(columns(without) == columns(with));
}

TEST_CASE("two long texts: windows would multiply, so that they are refused or left out") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "the ";
  TokenizeOptions options;
  options.truncation = Truncation::longest_first;
  options.max_length = 16;
  CHECK(thrown_code([&] { uncased().encode({text, text}, options); }) == "E_TOO_LONG");
  options.overflow = false;
  CHECK(uncased().encode({text, text}, options).size() == 16);
}

TEST_CASE("text that is hardly text") {
  CHECK(tokens("") == Tokens{"[CLS]", "[SEP]"});
  CHECK(tokens(" \t\n\xC2\xA0") == Tokens{"[CLS]", "[SEP]"});
  CHECK(tokens(std::string("a\0b", 3)) == tokens("ab"));
  CHECK(tokens("a\xFF\xFE") == tokens("a"));
  CHECK(tokens("\xED\xA0\xBD\xED\xB8\x80") ==
        Tokens{"[CLS]", "[SEP]"});  // surrogates, each encoded for itself
  CHECK(uncased().encode({"", ""}).size() == 3);
  const Encoding encoding =
      uncased().encode({"\xFF"
                        "a\xF0\x9F\x98\x80\xC3"
                        "b",
                        std::nullopt});
  CHECK(encoding.code_point_offsets.at(1).start == 1);
  CHECK(encoding.offsets.at(1).start == 1);
}

TEST_CASE("long texts take as long as they are, whatever they hold") {
  constexpr std::size_t length = 1'000'000;
  const auto repeat = [](std::string_view unit) {
    std::string text;
    while (text.size() < length) text += unit;
    return text;
  };
  CHECK(tokens(std::string(100'000, 'x')) == Tokens{"[CLS]", "[UNK]", "[SEP]"});
  CHECK(tokens(repeat("x")).size() == 3);
  CHECK(tokens(repeat("[")).size() == length + 2);
  CHECK(tokens(repeat(" ")).size() == 2);
  CHECK(tokens(repeat("the ")).size() == length / 4 + 2);
  CHECK(tokens("a" + repeat("\xCC\x81\xCC\xA7")) == Tokens{"[CLS]", "a", "[SEP]"});  // marks to be ordered
  CHECK(tokens(repeat("[MASK]")).size() == (length + 5) / 6 + 2);
  const Tokenizer& flags = cases().tokenizers.at("flags");
  CHECK(flags.encode({repeat(" ") + "<both>" + repeat(" "), std::nullopt}).size() == 3);
  CHECK(flags.encode({repeat("whole"), std::nullopt}).size() == 3);
}

TEST_CASE("decode refuses ids outside the vocabulary") {
  const auto decode = [](std::int32_t id) {
    return thrown_code([id] { uncased().decode(std::vector{id}); });
  };
  CHECK(decode(-1) == "E_INVALID_ARGUMENT");
  CHECK(decode(static_cast<std::int32_t>(uncased().vocab_size())) == "E_INVALID_ARGUMENT");
  CHECK(decode(0) == "none");
}

TEST_CASE("copies of a tokenizer share it and outlive it") {
  std::optional<Tokenizer> first(uncased());
  const Tokenizer second = *first;
  first.reset();
  CHECK(second.encode({"the", std::nullopt}).tokens == Tokens{"[CLS]", "the", "[SEP]"});
}

// Offsets in order, within the text, on the borders of code points; the slice holds what the token says.
std::string broken_property(const Encoding& encoding, const std::string& text) {
  const std::u32string code_points = decode_utf8(text);
  std::vector<std::uint32_t> utf16 = {0};
  for (const char32_t c : code_points) utf16.push_back(utf16.back() + (c > 0xFFFF ? 2 : 1));
  Span before;
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    if (encoding.sequence_ids[i] < 0) continue;
    const Span span = encoding.code_point_offsets[i];
    if (span.start < before.start || span.end < before.end) return "order of " + encoding.tokens[i];
    if (span.start >= span.end || span.end > code_points.size()) return "span of " + encoding.tokens[i];
    if (encoding.offsets[i] != Span{utf16[span.start], utf16[span.end]})
      return "UTF-16 span of " + encoding.tokens[i];
    before = span;

    AlignedText slice(std::u32string_view(code_points).substr(span.start, span.end - span.start), 0);
    BertNormalizer({}).normalize(slice);
    std::string token = encoding.tokens[i];
    if (token.starts_with("[")) continue;
    if (token.size() > 2 && token.starts_with("##")) token.erase(0, 2);
    if (encode_utf8(slice.code_points).find(token) == std::string::npos) return "slice of " + token;
  }
  return {};
}

TEST_CASE("offsets are in order, and their slice of the text holds the token") {
  std::vector<std::string> broken;
  std::string all;
  for (const json& example : cases().content["cases"]) {
    const std::string text = example["text"];
    all += text + " ";
    const std::string what = broken_property(uncased().encode({text, std::nullopt}), text);
    if (!what.empty()) broken.push_back(what + " in " + json(text).dump(-1, ' ', true));
  }
  CHECK(broken_property(uncased().encode({all, std::nullopt}), all) == "");
  CAPTURE(broken);
  CHECK(broken.empty());
}

}  // namespace
}  // namespace headlight::test
