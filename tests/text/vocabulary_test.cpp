#include "text/vocabulary.h"

#include "text/text_support.h"

namespace headlight::test {
namespace {

Vocabulary make(const std::vector<std::pair<std::string, std::int32_t>>& tokens,
                Vocabulary::Builder::Repeated repeated = Vocabulary::Builder::Repeated::refused) {
  Vocabulary::Builder builder;
  for (const auto& [token, id] : tokens) builder.add(token, id);
  builder.set_repeated(repeated);
  return Vocabulary(std::move(builder), "vocab.txt");
}

TEST_CASE("tokens are found by spelling and by id") {
  const Vocabulary vocabulary = make({{"a", 0}, {"上菜", 1}, {"##ing", 5}, {"", 3}});
  CHECK(vocabulary.find("上菜") == 1);
  CHECK(vocabulary.find("") == 3);
  CHECK(vocabulary.find("##in") == std::nullopt);
  CHECK(vocabulary.token(5) == "##ing");
  CHECK(vocabulary.token(3) == "");
  CHECK(vocabulary.token(2) == std::nullopt);
  CHECK(vocabulary.token(6) == std::nullopt);
  CHECK(vocabulary.token(-1) == std::nullopt);
  CHECK(vocabulary.size() == 4);
  CHECK(vocabulary.id_end() == 6);
  const Vocabulary empty = make({});
  CHECK(empty.find("a") == std::nullopt);
  CHECK(empty.id_end() == 0);
}

TEST_CASE("the longest token at the beginning of a text is found") {
  const Vocabulary vocabulary = make({{"a", 0}, {"abc", 1}, {"##bcd", 2}, {"##b", 3}, {"##", 4}, {"上", 5}});
  const auto first = vocabulary.longest_match("", "abcd");
  REQUIRE(first);
  CHECK((first->id == 1 && first->length == 3));
  const auto next = vocabulary.longest_match("##", "bcx");
  REQUIRE(next);
  CHECK((next->id == 3 && next->length == 1));
  CHECK((vocabulary.longest_match("", "上菜")->id == 5));
  CHECK_FALSE(vocabulary.longest_match("##", "x"));  // "##" alone takes nothing of the text
}

TEST_CASE("many tokens") {
  Vocabulary::Builder builder;
  constexpr std::int32_t count = 100'000;
  for (std::int32_t id = 0; id < count; ++id) builder.add("t" + std::to_string(id * 7919), id);
  const Vocabulary vocabulary(std::move(builder), "vocab.txt");
  std::size_t wrong = 0;
  for (std::int32_t id = 0; id < count; ++id) {
    const std::string token = "t" + std::to_string(id * 7919);
    wrong += vocabulary.find(token) != id || vocabulary.token(id) != token ||
             vocabulary.find(token + "x").has_value();
  }
  CHECK(wrong == 0);
}

TEST_CASE("ids and spellings that occur twice are refused, or the last one counts") {
  using Repeated = Vocabulary::Builder::Repeated;
  CHECK(thrown_code([] { make({{"a", 0}, {"b", 0}}); }) == "E_INVALID_TOKENIZER");
  CHECK(thrown_code([] { make({{"a", 0}, {"a", 1}}); }) == "E_INVALID_TOKENIZER");
  const Vocabulary vocabulary = make({{"a", 0}, {"b", 1}, {"a", 2}}, Repeated::last_counts);
  CHECK(vocabulary.find("a") == 2);
  CHECK(vocabulary.token(0) == std::nullopt);
  CHECK(vocabulary.size() == 2);
  const Vocabulary both = make({{"a", 0}, {"b", 1}, {"a", 2}}, Repeated::last_found);
  CHECK(both.find("a") == 2);
  CHECK(both.token(0) == "a");
}

}  // namespace
}  // namespace headlight::test
