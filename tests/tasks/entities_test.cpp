#include "tasks/entities.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "headlight.h"
#include "support/files.h"
#include "support/own_model.h"
#include "support/pipeline_golden.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

Aggregation aggregation_of(const std::string& name) {
  if (name == "simple") return Aggregation::simple;
  if (name == "first") return Aggregation::first;
  if (name == "average") return Aggregation::average;
  return name == "max" ? Aggregation::max : Aggregation::none;
}

std::vector<Entity> entities(const Model& model, const std::string& text, const EntityOptions& options = {}) {
  const Input input{text};
  return model.entities({&input, 1}, options).at(0).entities;
}

// "entity word start-end", joined by "; ".
std::string told(const std::vector<Entity>& entities) {
  std::string text;
  for (const Entity& entity : entities) {
    if (!text.empty()) text += "; ";
    text += entity.entity + " " + entity.word + " " + std::to_string(entity.offsets.start) + "-" +
            std::to_string(entity.offsets.end);
  }
  return text;
}

std::size_t check_pipeline(const std::filesystem::path& root) {
  return for_each_call(root, "token-classification", [](const Model& model, const nlohmann::json& call) {
    const Aggregation aggregation = aggregation_of(call["aggregation_strategy"]);
    const auto actual = entities(model, call["text"], {.aggregation = aggregation});
    const auto& expected = call["result"];
    REQUIRE(actual.size() == expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const bool merged = aggregation != Aggregation::none;
      CHECK(actual[i].entity == expected[i][merged ? "entity_group" : "entity"].get<std::string>());
      CHECK(actual[i].word == expected[i]["word"].get<std::string>());
      CHECK(actual[i].offsets.start == expected[i]["start_utf16"].get<std::uint32_t>());
      CHECK(actual[i].offsets.end == expected[i]["end_utf16"].get<std::uint32_t>());
      CHECK(actual[i].index.has_value() == !merged);
      if (!merged) CHECK(actual[i].index == expected[i]["index"].get<std::size_t>());
      check_score(actual[i].score, expected[i]["score"]);
    }
  });
}

TEST_CASE("entities agree with transformers' pipeline on the committed goldens") {
  CHECK(check_pipeline(committed_golden()) >= 90);
}

TEST_CASE("entities agree with transformers' pipeline on all goldens") {
  const auto root = whole_golden();
  if (!root) SKIP("the whole set of goldens is not beside the checkout; HEADLIGHT_GOLDEN may name it");
  CHECK(check_pipeline(*root) >= 150);
}

TEST_CASE("schemes of labels") {
  const Model bio = letter_classifier({"O", "B-X", "I-X", "I-Y"});
  const EntityOptions simple{.aggregation = Aggregation::simple};
  CHECK(told(entities(bio, "b c a c b b d", simple)) == "X b c 0-3; X c 6-7; X b 8-9; X b 10-11; Y d 12-13");

  const Model bioes = letter_classifier({"O", "B-X", "I-X", "E-X", "S-X"});
  CHECK(told(entities(bioes, "b c d d e e", simple)) == "X b c d 0-5; X d 6-7; X e 8-9; X e 10-11");

  const Model bilou = letter_classifier({"O", "B-X", "I-X", "L-X", "U-X"});
  CHECK(told(entities(bilou, "b d b c e", simple)) == "X b d 0-3; X b c 4-7; X e 8-9");

  const Model none = letter_classifier({"O", "E-mail", "S-Bahn", "co-author"});
  CHECK(told(entities(none, "b b c d", simple)) == "E-mail b b 0-3; S-Bahn c 4-5; co-author d 6-7");

  const std::vector<std::string> labels{"O", "B-X", "L-X", "L-Z", "", "B-"};
  const auto read = read_entity_labels(labels);
  CHECK(read[2].position == 'E');
  CHECK(read[3].name == "L-Z");
  CHECK(read[4].name.empty());
  CHECK(read[5].name == "B-");
}

TEST_CASE("no word is cut where whole words are asked for") {
  const Model model = letter_classifier({"O", "B-X", "I-X"});
  // "ab" is a, ##b: of two minds, and as likely the one as the other; "bbc" is mostly b.
  const EntityOptions word{.aggregation = Aggregation::word};
  CHECK(told(entities(model, "bbc", {.aggregation = Aggregation::simple})) == "X b 0-1; X ##bc 1-3");
  CHECK(told(entities(model, "a bbc, bb", word)) == "X bbc 2-5; X bb 7-9");
  CHECK(told(entities(model, "\xF0\x9F\x98\x80 bb", word)) == "X bb 3-5");
}

TEST_CASE("tokens that are not merged have an index, and what is left out is the caller's choice") {
  const Model model = letter_classifier({"O", "B-X", "I-X"});
  const auto all = entities(model, "a b", {.ignore_labels = {}});
  REQUIRE(all.size() == 2);
  CHECK(all[0].entity == "O");
  CHECK(all[0].index == 1u);
  CHECK(entities(model, "a b", {.ignore_labels = {"B-X", "O"}}).empty());
  CHECK(entities(model, "").empty());
  CHECK(entities(model, "", {.aggregation = Aggregation::word}).empty());
}

TEST_CASE("windows give the entities of the whole text, each once") {
  const std::vector<std::string> labels{"O", "B-X", "I-X"};
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += i % 3 == 0 ? "bccc c a "
                       : "a\xC3\xA9"
                         "bc ";
  const auto whole = entities(letter_classifier(labels), text, {.aggregation = Aggregation::simple});
  REQUIRE(whole.size() >= 40);
  const Model narrow = letter_classifier(labels, 24);
  for (const std::size_t stride : {0, 1, 7, 20}) {
    const TextOptions windows{.overlong = Overlong::window, .stride = stride};
    for (const Aggregation aggregation : {Aggregation::simple, Aggregation::average, Aggregation::word}) {
      CHECK(told(entities(narrow, text, {.aggregation = aggregation, .text = windows})) ==
            told(entities(letter_classifier(labels), text, {.aggregation = aggregation})));
    }
    const auto tokens = entities(narrow, text, {.text = windows});
    for (std::size_t i = 1; i < tokens.size(); ++i) CHECK(tokens[i - 1].index < tokens[i].index);
  }
  const Input input{text};
  CHECK(narrow.entities({&input, 1})[0].truncated.size() == 1);
  CHECK(narrow.entities({&input, 1}, {.text = {.overlong = Overlong::window}})[0].truncated.empty());
  CHECK(error_of([&] { narrow.entities({&input, 1}, {.text = {.overlong = Overlong::error}}); }).code() ==
        ErrorCode::E_TOO_LONG);
  CHECK(error_of([&] {
          narrow.entities({&input, 1}, {.text = {.overlong = Overlong::window, .stride = 22}});
        }).code() == ErrorCode::E_INVALID_ARGUMENT);
}

TEST_CASE("entities refuses pairs and models without the head") {
  const Model model = letter_classifier({"O", "X"});
  const Input pair{"a", "b"};
  CHECK(error_of([&] { model.entities({&pair, 1}); }).code() == ErrorCode::E_INVALID_ARGUMENT);
  CHECK(model.entities({}).empty());
  const Input text{"a"};
  const Model other = random_model_of({});
  const Error error = error_of([&] { other.entities({&text, 1}); });
  CHECK(error.code() == ErrorCode::E_TASK_MISMATCH);
  CHECK(error.message().find("BertForSequenceClassification") != std::string::npos);
}

TEST_CASE("a label map with holes names what it leaves out") {
  const Model model = random_model_of({.architecture = "BertForTokenClassification", .num_labels = 3},
                                      {{"id2label", {{"0", "O"}, {"2", "B-X"}}}});
  CHECK(model.info().labels == std::vector<std::string>{"O", "LABEL_1", "B-X"});
  for (const Entity& entity : entities(model, "a b c d e f g")) {
    CHECK((entity.entity == "LABEL_1" || entity.entity == "B-X"));
  }
}

TEST_CASE("a number of labels that contradicts the label map counts, and its labels have no names") {
  const RandomBert three{.architecture = "BertForTokenClassification", .num_labels = 3};
  nlohmann::json config = id2label({"O", "B-X"});
  config["num_labels"] = 3;
  CHECK(random_model_of(three, config).info().labels ==
        std::vector<std::string>{"LABEL_0", "LABEL_1", "LABEL_2"});
  config = id2label({"O", "B-X", "I-X"});
  config["num_labels"] = 3;
  CHECK(random_model_of(three, config).info().labels == std::vector<std::string>{"O", "B-X", "I-X"});
}

}  // namespace
}  // namespace headlight::test
