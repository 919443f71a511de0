// Tasks over pairs of texts: nextSentence, zeroShot, rank.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "headlight.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/golden_report.h"
#include "support/own_model.h"
#include "support/pipeline_golden.h"
#include "tasks/fitting.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

std::size_t check_zero_shot(const std::filesystem::path& root) {
  return for_each_call(root, "zero-shot-classification", [](const Model& model, const nlohmann::json& call) {
    const Input input{call["text"]};
    const auto labels = call["candidate_labels"].get<std::vector<std::string>>();
    const auto result = model.zero_shot(
        {&input, 1}, labels,
        {.hypothesis_template = call["hypothesis_template"], .multi_label = call["multi_label"]})[0];
    const auto& expected = call["result"];
    REQUIRE(result.labels.size() == expected["labels"].size());
    for (std::size_t i = 0; i < result.labels.size(); ++i) {
      CHECK(result.labels[i].label == expected["labels"][i].get<std::string>());
      check_score(result.labels[i].score, expected["scores"][i]);
    }
  });
}

std::size_t check_next_sentence(const std::filesystem::path& root) {
  std::size_t pairs = 0;
  for (const auto& folder : golden_cases(root)) {
    const auto golden = nlohmann::json::parse(read_file(folder / "golden.json"));
    if (golden["task"] != "nsp") continue;
    const Model model = Model::load(folder);
    for (const auto& input : golden["inputs"]) {
      const Input pair = input_of(input);
      if (!pair.text_pair) continue;
      const auto& probabilities = input["next_sentence"]["probabilities"];
      const auto result =
          model.next_sentence({&pair, 1}, {.max_length = tokenize_options_of(input).max_length})[0];
      check_score(result.score, probabilities[0]);
      CHECK(result.is_next == (probabilities[0] >= 0.5));
      ++pairs;
    }
  }
  return pairs;
}

TEST_CASE("zero_shot and next_sentence agree with transformers on the committed goldens") {
  CHECK(check_zero_shot(committed_golden()) >= 4);
  CHECK(check_next_sentence(committed_golden()) >= 2);
}

TEST_CASE("zero_shot and next_sentence agree with transformers on all goldens") {
  const auto root = whole_golden();
  if (!root) SKIP("the whole set of goldens is not beside the checkout; HEADLIGHT_GOLDEN may name it");
  CHECK(check_zero_shot(*root) >= 4);
  CHECK(check_next_sentence(*root) >= 2);
}

TEST_CASE("the label of entailment is found whatever its case") {
  CHECK(entailment_label(std::vector<std::string>{"CONTRADICTION", "Entailment"}) == 1u);
  CHECK(entailment_label(std::vector<std::string>{"entailed", "entailment"}) == 0u);
  CHECK_FALSE(entailment_label(std::vector<std::string>{"LABEL_0", "no entailment", ""}));
}

TEST_CASE("zero_shot: labels, templates, long texts") {
  const Model model =
      random_model_of({.max_position_embeddings = 24}, id2label({"contradiction", "neutral", "entailment"}));
  const Input input{"a b c"};
  const std::vector<std::string> labels{"x", "y"}, one{"x"}, none;
  const auto scores = model.zero_shot({&input, 1}, labels, {.hypothesis_template = "a {}"})[0].labels;
  CHECK(std::abs(scores[0].score + scores[1].score - 1) <= 1e-6);
  const auto alone = model.zero_shot({&input, 1}, one, {.hypothesis_template = "{}"})[0].labels;
  CHECK(alone.at(0).score < 1);
  const auto refused = [&](const Input& text, std::span<const std::string> names,
                           const ZeroShotOptions& options) {
    return error_of([&] { model.zero_shot({&text, 1}, names, options); }).code();
  };
  CHECK(refused(input, none, {}) == ErrorCode::E_INVALID_ARGUMENT);
  CHECK(refused(input, labels, {.hypothesis_template = "it"}) == ErrorCode::E_INVALID_ARGUMENT);
  CHECK(refused({"a", "b"}, labels, {}) == ErrorCode::E_INVALID_ARGUMENT);
  const Input text{"a b c d e f g h i j k l m n o p q r s t u v w x y z"};
  CHECK(refused(text, labels, {.hypothesis_template = "{}", .text = {.overlong = Overlong::error}}) ==
        ErrorCode::E_TOO_LONG);
  const std::vector<Input> mixed{input, text};
  const Error too_long = error_of([&] {
    model.zero_shot(mixed, labels, {.hypothesis_template = "{}", .text = {.overlong = Overlong::error}});
  });
  CHECK(too_long.message().starts_with("input 1 "));
  const auto cut = model.zero_shot({&text, 1}, labels, {.hypothesis_template = "{}"})[0];
  REQUIRE(cut.truncated.size() == 1);
  CHECK_FALSE(cut.truncated[0].in_pair);
  const std::vector<Input> many(40, input);
  CHECK(model.zero_shot(many, labels, {.hypothesis_template = "{}"}).size() == 40);
  CHECK(error_of([&] { random_model_of({}).zero_shot({&input, 1}, labels); }).code() ==
        ErrorCode::E_TASK_MISMATCH);
}

TEST_CASE("rank: documents by falling score, those of the pairs alone") {
  const Model model = random_model_of({.num_labels = 1});
  std::vector<Input> pairs;
  for (const char* document : {"a b", "c d", "e", "", "a b"}) pairs.push_back({"q", document});
  const auto ranked = model.rank(pairs);
  REQUIRE(ranked.size() == 5);
  const auto labels = model.classify(pairs);
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    CHECK(std::abs(ranked[i].score - labels[ranked[i].index].labels[0].score) <= 1e-6);
    if (i > 0) CHECK(ranked[i - 1].score >= ranked[i].score);
  }
  CHECK(model.rank(pairs, {.top_k = 2}).size() == 2);
  CHECK(model.rank({}).empty());
  const Input alone{"q"};
  CHECK(error_of([&] { model.rank({&alone, 1}); }).code() == ErrorCode::E_INVALID_ARGUMENT);
  CHECK(error_of([&] { random_model_of({}).rank(pairs); }).code() == ErrorCode::E_TASK_MISMATCH);
}

TEST_CASE("a model names the calls that fit") {
  const auto tasks = [](const char* architecture, std::size_t labels = 3) {
    return random_model_of({.architecture = architecture, .num_labels = labels}).info().tasks;
  };
  using Names = std::vector<std::string>;
  CHECK(tasks("BertModel") == Names{"embed", "attention", "forward"});
  CHECK(tasks("BertForSequenceClassification") == Names{"classify", "embed", "attention", "forward"});
  CHECK(tasks("BertForSequenceClassification", 1) ==
        Names{"classify", "rank", "embed", "attention", "forward"});
  CHECK(tasks("BertForTokenClassification").front() == "entities");
  CHECK(tasks("BertForMaskedLM").front() == "fillMask");
  CHECK(tasks("BertForNextSentencePrediction").front() == "nextSentence");
  CHECK(tasks("BertForQuestionAnswering").front() == "answer");
  CHECK(random_model_of({}).info().mask_token == "[MASK]");
  const Model nli = random_model_of({}, id2label({"entailment", "neutral", "contradiction"}));
  CHECK(nli.info().tasks == Names{"classify", "zeroShot", "embed", "attention", "forward"});
}

TEST_CASE("next_sentence needs a pair and the head") {
  const Model model = random_model_of({.architecture = "BertForNextSentencePrediction"});
  const Input pair{"a", "b"}, alone{"a"};
  const NextSentence result = model.next_sentence({&pair, 1})[0];
  CHECK(result.is_next == (result.score >= 0.5f));
  CHECK(error_of([&] { model.next_sentence({&alone, 1}); }).code() == ErrorCode::E_INVALID_ARGUMENT);
  CHECK(error_of([&] { random_model_of({}).next_sentence({&pair, 1}); }).code() ==
        ErrorCode::E_TASK_MISMATCH);
}

}  // namespace
}  // namespace headlight::test
