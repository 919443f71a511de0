// BPE, Unigram and WordLevel by hand; text_cases_test.cpp holds them against Hugging Face's tokenizers.
#include <random>

#include "text/byte_pair_encoding.h"
#include "text/text_support.h"
#include "text/unigram.h"
#include "text/word_level.h"

namespace headlight::test {
namespace {

Vocabulary vocabulary(const std::vector<std::string>& tokens) {
  Vocabulary::Builder builder;
  for (std::size_t id = 0; id < tokens.size(); ++id) builder.add(tokens[id], static_cast<std::int32_t>(id));
  return Vocabulary(std::move(builder), "tokenizer.json");
}

MergeList merge_list(const std::vector<std::string>& lines) {
  MergeList merges;
  for (const std::string& line : lines) REQUIRE(merges.add_line(line));
  return merges;
}

// "the token id@begin-end", with ! where the token is told as the piece spells it.
std::string tokens_of(const TokenModel& model, const std::string& piece) {
  std::vector<TokenModel::Token> tokens;
  model.tokenize(piece, tokens);
  std::string text;
  for (const auto& token : tokens) {
    text += (text.empty() ? "" : " ") + std::to_string(token.id) + "@" + std::to_string(token.begin) + "-" +
            std::to_string(token.end) + (token.literal ? "!" : "");
  }
  return text;
}

BytePairEncoding bpe(const std::vector<std::string>& tokens, const std::vector<std::string>& merges,
                     BytePairEncoding::Options options = {}) {
  return BytePairEncoding(vocabulary(tokens), merge_list(merges), std::move(options), "tokenizer.json");
}

TEST_CASE("BPE merges the pair of lowest rank first, then the leftmost") {
  const BytePairEncoding model = bpe({"a", "b", "c", "ab", "bc", "aa", "abc"}, {"b c", "a a", "a b", "ab c"});
  CHECK(tokens_of(model, "abc") == "0@0-1 4@1-3");
  CHECK(tokens_of(model, "aaab") == "5@0-2 3@2-4");
  // Without an unknown token "x" is dropped, and spans follow one another, as in Hugging Face's tokenizers.
  CHECK(tokens_of(model, "axb") == "3@0-2");
}

TEST_CASE("BPE: of a pair that is named twice the last rank counts") {
  CHECK(tokens_of(bpe({"a", "b", "c", "ab", "bc"}, {"a b", "b c", "a b"}), "abc") == "0@0-1 4@1-3");
}

TEST_CASE("BPE: unknown code points, bytes and whole tokens") {
  BytePairEncoding::Options options;
  options.unk_token = "?";
  CHECK(tokens_of(bpe({"?", "a"}, {}, options), "xéa") == "0@0-1 0@1-3 1@3-4");
  options.fuse_unk = true;
  CHECK(tokens_of(bpe({"?", "a"}, {}, options), "xéa") == "0@0-3 1@3-4");
  options.byte_fallback = true;
  CHECK(tokens_of(bpe({"?", "a", "<0xC3>", "<0xA9>"}, {}, options), "éa") == "2@0-1 3@1-2 1@2-3");
  CHECK(tokens_of(bpe({"?", "a", "<0xC3>"}, {}, options), "éa") == "0@0-2 1@2-3");
  options.ignore_merges = true;
  CHECK(tokens_of(bpe({"?", "a", "aa"}, {}, options), "aa") == "2@0-2");
  CHECK(tokens_of(bpe({"?", "a", "aa"}, {}, options), "aaa") == "1@0-1 1@1-2 1@2-3");
  options.unk_token = "<none>";
  CHECK(thrown_code([&] { tokens_of(bpe({"a"}, {}, options), "x"); }) == "E_INVALID_TOKENIZER");
}

TEST_CASE("BPE: prefix and suffix") {
  BytePairEncoding::Options options;
  options.continuing_subword_prefix = "##";
  options.end_of_word_suffix = "</w>";
  const BytePairEncoding model = bpe({"a", "##a", "##a</w>", "a</w>",
                                      "a"
                                      "a</w>"},
                                     {"a ##a</w>"}, options);
  CHECK(tokens_of(model, "a") == "3@0-1");
  CHECK(tokens_of(model, "aa") == "4@0-2");
  CHECK(tokens_of(model, "aaa") == "0@0-1 1@1-2 2@2-3");
}

TEST_CASE("BPE: merges of, or to, what is no token are refused") {
  const auto code = [](const std::vector<std::string>& merges, const std::string& prefix = "") {
    BytePairEncoding::Options options;
    options.continuing_subword_prefix = prefix;
    return thrown_code([&] { bpe({"a", "b", "ab"}, merges, options); });
  };
  CHECK(code({"a b"}) == "none");
  CHECK(code({"a b", "x b"}) == "E_INVALID_TOKENIZER");
  CHECK(code({"a b", "a x"}) == "E_INVALID_TOKENIZER");
  CHECK(code({"b a"}) == "E_INVALID_TOKENIZER");
  CHECK(code({"a b"}, "####") == "E_INVALID_TOKENIZER");
}

TEST_CASE("long pieces take as long as they are") {
  constexpr std::size_t length = 1 << 20;
  std::vector<std::string> tokens = {"a"}, merges;
  for (std::size_t size = 1; size < 16; size *= 2) {
    tokens.emplace_back(2 * size, 'a');
    merges.push_back(std::string(size, 'a') + " " + std::string(size, 'a'));
  }
  std::vector<TokenModel::Token> found;
  bpe(tokens, merges).tokenize(std::string(length, 'a'), found);
  CHECK(found.size() == length / 16);
  found.clear();
  Unigram(vocabulary({"?", "a", "aaaa"}), {0, -3, -4}, {}, "f").tokenize(std::string(length, 'a'), found);
  CHECK(found.size() == length / 4);
  found.clear();
  Unigram(vocabulary({"?", "b"}), {0, -3}, {}, "f").tokenize(std::string(length, 'a'), found);
  CHECK(found.size() == 1);
}

TEST_CASE("Unigram takes the cut of the greatest score") {
  const Unigram model(vocabulary({"?", "a", "b", "ab", "abb"}), {0, -1, -1, -2.5, -2}, {}, "f");
  CHECK(tokens_of(model, "ab") == "1@0-1 2@1-2");
  CHECK(tokens_of(model, "abb") == "4@0-3");
  CHECK(tokens_of(model, "xéab") == "0@0-3! 1@3-4 2@4-5");  // unknown code points become one token
}

TEST_CASE("Unigram: of equal scores the earliest beginning of the last token stays") {
  CHECK(tokens_of(Unigram(vocabulary({"?", "a", "ab", "b", "aba"}), {0, -1, -2, -1, -3}, {}, "f"), "aba") ==
        "4@0-3");
}

TEST_CASE("Unigram: bytes in place of unknown code points") {
  const Unigram::Options options{.unk_id = 0, .byte_fallback = true};
  const Unigram model(vocabulary({"?", "a", "<0xC3>", "<0xA9>"}), {0, -1, 0, 0}, options, "f");
  CHECK(tokens_of(model, "éa") == "2@0-2 3@0-2 1@2-3");
  CHECK(tokens_of(model, "éxa") == "0@0-3! 1@3-4");
}

TEST_CASE("Unigram: what does not hold together is refused") {
  const auto code = [](std::vector<double> scores, std::int32_t unk_id, const std::string& token = "a") {
    return thrown_code(
        [&] { Unigram(vocabulary({"?", token}), std::move(scores), {.unk_id = unk_id}, "f"); });
  };
  CHECK(code({0, -1}, 1) == "none");
  CHECK(code({0, -1}, 2) == "E_INVALID_TOKENIZER");
  CHECK(code({0}, 0) == "E_INVALID_TOKENIZER");
  CHECK(code({0, std::numeric_limits<double>::quiet_NaN()}, 0) == "E_INVALID_TOKENIZER");
  CHECK(code({0, -std::numeric_limits<double>::infinity()}, 0) == "E_INVALID_TOKENIZER");
  CHECK(code({0, -1}, 0, std::string(1024, 'a')) == "none");
  CHECK(code({0, -1}, 0, std::string(1025, 'a')) == "E_UNSUPPORTED_TOKENIZER");
}

TEST_CASE("the trie finds what a search through all tokens finds") {
  std::mt19937 random(1);
  const auto word = [&random](std::size_t longest) {
    std::string text;
    for (std::size_t left = random() % longest + 1; left > 0; --left) text += "abc\xC3"[random() % 4];
    return text;
  };
  Vocabulary::Builder builder;
  builder.set_repeated(Vocabulary::Builder::Repeated::last_found);
  builder.add("", 0);
  for (std::int32_t id = 1; id < 400; ++id) builder.add(word(12), id);
  const Vocabulary tokens(std::move(builder), "f");
  const TokenTrie trie(tokens);
  std::size_t wrong = 0, found = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string text = i == 0 ? "" : word(16);
    std::vector<std::pair<std::int32_t, std::size_t>> expected, actual;
    for (std::size_t length = 1; length <= text.size(); ++length) {
      if (const auto id = tokens.find(text.substr(0, length))) expected.emplace_back(*id, length);
    }
    trie.for_each_prefix(tokens, text,
                         [&](std::int32_t id, std::size_t length) { actual.emplace_back(id, length); });
    wrong += actual != expected;
    found += actual.size();
  }
  CHECK(wrong == 0);
  CHECK(found > 2000);
  std::size_t none = 0;
  const Vocabulary empty = vocabulary({});
  TokenTrie(empty).for_each_prefix(empty, "a", [&none](std::int32_t, std::size_t) { ++none; });
  CHECK(none == 0);
}

TEST_CASE("WordLevel knows a piece or does not") {
  const WordLevel model(vocabulary({"?", "film"}), "?", "f");
  CHECK(tokens_of(model, "film") == "1@0-4");
  CHECK(tokens_of(model, "films") == "0@0-5");
  CHECK(thrown_code([] { WordLevel(vocabulary({"a"}), "?", "f"); }) == "E_INVALID_TOKENIZER");
}

}  // namespace
}  // namespace headlight::test
