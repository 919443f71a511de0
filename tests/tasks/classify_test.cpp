#include "tasks/classify.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "headlight.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/own_model.h"
#include "support/pipeline_golden.h"
#include "support/random_bert.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

std::vector<LabelScore> classify(const Model& model, const Input& input,
                                 const ClassifyOptions& options = {}) {
  return model.classify({&input, 1}, options).at(0).labels;
}

std::size_t check_pipeline(const std::filesystem::path& root) {
  return for_each_call(root, "text-classification", [](const Model& model, const nlohmann::json& call) {
    const Input input =
        input_of({{"text", call["text"]}, {"text_pair", call.value("text_pair", nlohmann::json())}});
    ClassifyOptions options;
    if (call.contains("function_to_apply")) {
      REQUIRE(call["function_to_apply"] == "sigmoid");
      options.function = ScoreFunction::sigmoid;
    }
    const auto labels = classify(model, input, options);
    const auto& expected = call["result"];
    REQUIRE(labels.size() == expected.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      CHECK(labels[i].label == expected[i]["label"].get<std::string>());
      check_score(labels[i].score, expected[i]["score"]);
    }
  });
}

TEST_CASE("classify agrees with transformers' pipeline on the committed goldens") {
  CHECK(check_pipeline(committed_golden()) >= 70);
}

TEST_CASE("classify agrees with transformers' pipeline on all goldens") {
  const auto root = whole_golden();
  if (!root) SKIP("the whole set of goldens is not beside the checkout; HEADLIGHT_GOLDEN may name it");
  CHECK(check_pipeline(*root) >= 110);
}

TEST_CASE("the function from logits to scores is the one of the problem type") {
  const float logits[] = {1.0f, -2.0f, 0.5f};
  ModelInfo info;
  info.labels = {"a", "b", "c"};

  SECTION("softmax") {
    info.problem_type = "single_label_classification";
    const auto scores = label_scores(logits, info);
    const double sum = std::exp(1.0) + std::exp(-2.0) + std::exp(0.5);
    CHECK(scores[0].label == "a");
    CHECK(std::abs(scores[0].score - std::exp(1.0) / sum) <= 1e-7);
    CHECK(scores[1].label == "c");
    CHECK(scores[2].label == "b");
    CHECK(std::abs(scores[2].score - std::exp(-2.0) / sum) <= 1e-7);
  }
  SECTION("sigmoid for labels that may hold at once") {
    info.problem_type = "multi_label_classification";
    CHECK(std::abs(label_scores(logits, info)[0].score - 1 / (1 + std::exp(-1.0))) <= 1e-7);
  }
  SECTION("the logit itself for a regression") {
    info.problem_type = "regression";
    CHECK(label_scores(logits, info)[0].score == 1.0f);
    CHECK(label_scores(logits, info)[2].score == -2.0f);
  }
  SECTION("sigmoid for a single label") {
    info.problem_type = "single_label_classification";
    info.labels = {"a"};
    CHECK(std::abs(label_scores(std::span(logits, 1), info)[0].score - 1 / (1 + std::exp(-1.0))) <= 1e-7);
  }
  SECTION("logits so large that e to them is infinite") {
    info.problem_type = "single_label_classification";
    const float large[] = {1000.0f, 999.0f, -1e30f};
    CHECK(std::abs(label_scores(large, info)[0].score - 1 / (1 + std::exp(-1.0))) <= 1e-7);
    CHECK(label_scores(large, info)[2].score == 0);
  }
  SECTION("equal scores in the order of the labels, NaN last") {
    info.problem_type = "regression";
    const float mixed[] = {NAN, 2.0f, 2.0f};
    const auto scores = label_scores(mixed, info);
    CHECK(scores[0].label == "b");
    CHECK(scores[1].label == "c");
    CHECK(std::isnan(scores[2].score));
  }
}

TEST_CASE("problem_type of config.json reaches the scores") {
  const Input input{"abc", std::nullopt};
  double sum = 0;
  for (const auto& [label, score] : classify(random_model_of(), input)) sum += score;
  CHECK(std::abs(sum - 1) <= 1e-6);
  const Model regression = random_model_of({.num_labels = 1}, {{"problem_type", "regression"}});
  const Encoding encoding = regression.tokenizer().encode(input);
  CHECK(classify(regression, input)[0].score == regression.forward({&encoding, 1})[0].logits->data[0]);
  const double logit = regression.forward({&encoding, 1})[0].logits->data[0];
  CHECK(std::abs(classify(random_model_of({.num_labels = 1}), input)[0].score - 1 / (1 + std::exp(-logit))) <=
        1e-7);
}

TEST_CASE("top_k keeps the best") {
  const Model model = random_model_of({.num_labels = 5});
  const Input input{"abc def", std::nullopt};
  const auto all = classify(model, input);
  REQUIRE(all.size() == 5);
  for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i - 1].score >= all[i].score);
  const auto best = classify(model, input, {.top_k = 2});
  REQUIRE(best.size() == 2);
  CHECK(best[1].label == all[1].label);
  CHECK(classify(model, input, {.top_k = 99}).size() == 5);
}

TEST_CASE("a threshold leaves out labels of a lower score") {
  const Model model = random_model_of({.num_labels = 5}, {{"problem_type", "multi_label_classification"}});
  const Input input{"abc def", std::nullopt};
  const auto all = classify(model, input);
  const auto some = classify(model, input, {.threshold = all[2].score});
  REQUIRE(some.size() == 3);
  CHECK(some[2].label == all[2].label);
  CHECK(classify(model, input, {.threshold = 1.0f}).empty());
  CHECK(classify(model, input, {.top_k = 2, .threshold = all[2].score}).size() == 2);
}

TEST_CASE("a threshold outside the scores' range is refused") {
  const Model model = random_model_of({});
  const Input input{"abc"};
  for (const float threshold : {1.1f, -0.1f, std::numeric_limits<float>::quiet_NaN()}) {
    CHECK(error_of([&] { classify(model, input, {.threshold = threshold}); }).code() ==
          ErrorCode::E_INVALID_ARGUMENT);
  }
  const ClassifyOptions logits{.threshold = -1e6f, .function = ScoreFunction::none};
  CHECK(classify(model, input, logits).size() == 3);
}

TEST_CASE("over windows the logits' mean is what is scored") {
  const Model model = random_model_of({.max_position_embeddings = 8});
  const Input input{"a b c d e f g h i j", std::nullopt};
  const ClassifyOptions options{.text = {.overlong = Overlong::window, .stride = 2}};
  const Classification result = model.classify({&input, 1}, options)[0];
  CHECK(result.truncated.empty());
  std::vector<float> mean(3);
  for (const char* window : {"a b c d e f", "e f g h i j"}) {
    const Encoding encoding = model.tokenizer().encode({window, std::nullopt});
    const Tensor logits = *model.forward({&encoding, 1})[0].logits;
    for (std::size_t i = 0; i < 3; ++i) mean[i] += logits.data[i] / 2;
  }
  const auto expected = label_scores(mean, model.info());
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(result.labels[i].label == expected[i].label);
    CHECK(std::abs(result.labels[i].score - expected[i].score) <= 1e-5);
  }
  const Input pair{"a b", "c d e f g h i"};
  CHECK(model.classify({&pair, 1}, options)[0].truncated.empty());
  const Input crowded{"a b c d e f", "g h"};
  CHECK(error_of([&] { model.classify({&crowded, 1}, options); }).code() == ErrorCode::E_TOO_LONG);
}

TEST_CASE("many inputs of any length come back in order, with the numbers they have alone") {
  const Model model = random_model_of({.max_position_embeddings = 700});
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < 60; ++i) {
    inputs.push_back(
        {std::string(i * i % 97, "abc"[i % 3]) + std::string(i % 7 == 0 ? 400 : 0, '.'), std::nullopt});
  }
  inputs[5].text_pair = "xyz";
  const auto together = model.classify(inputs);
  REQUIRE(together.size() == inputs.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto alone = classify(model, inputs[i]);
    for (std::size_t l = 0; l < alone.size(); ++l) {
      different +=
          alone[l].label != together[i].labels[l].label || alone[l].score != together[i].labels[l].score;
    }
  }
  CHECK(different == 0);
}

TEST_CASE("progress of many inputs grows to its total, in small steps too") {
  const Model model = random_model_of();
  const std::vector<Input> inputs(200, {"abc def ghi", std::nullopt});
  const auto task = model.begin_classify(inputs, {});
  std::uint64_t before = 0;
  std::size_t steps = 0, wrong = 0;
  bool more = true;
  while (more) {
    more = task->step(1);
    wrong += task->work_done() < before || task->work_done() > task->work_total();
    before = task->work_done();
    ++steps;
  }
  CHECK(wrong == 0);
  CHECK(steps > 100);
  CHECK(task->work_done() == task->work_total());
  CHECK(task->result().size() == 200);
}

TEST_CASE("empty text, no inputs, and NUL are read") {
  const Model model = random_model_of();
  CHECK(classify(model, {"", std::nullopt}).size() == 3);
  CHECK(classify(model, {std::string("a\0b", 3), ""}).size() == 3);
  CHECK(model.classify({}).empty());
}

TEST_CASE("what is too long is cut and the cut is told in UTF-16 units") {
  const Model model = random_model_of({.max_position_embeddings = 8});
  const auto cuts = [&](const Input& input) { return model.classify({&input, 1})[0].truncated; };

  CHECK(cuts({"a b c d e f", std::nullopt}).empty());
  const auto one = cuts({"a b c d e f g", std::nullopt});
  REQUIRE(one.size() == 1);
  CHECK_FALSE(one[0].in_pair);
  CHECK(one[0].start == 11);

  // An emoji is one token ([UNK]) of two UTF-16 units.
  const auto emoji = cuts({"\xF0\x9F\x98\x80 a b c d e f", std::nullopt});
  REQUIRE(emoji.size() == 1);
  CHECK(emoji[0].start == 12);

  const auto pair = cuts({"a b c d e f g", "h"});
  REQUIRE(pair.size() == 1);
  CHECK_FALSE(pair[0].in_pair);
  CHECK(pair[0].start == 7);
  const auto both = cuts({"a b c d e f g", "h i j k l m n"});
  REQUIRE(both.size() == 2);
  CHECK_FALSE(both[0].in_pair);
  CHECK(both[1].in_pair);
  CHECK(both[0].start == 3);
  CHECK(both[1].start == 5);
}

TEST_CASE("100,000 characters are cut, or refused where that is asked for") {
  const Model model = random_model_of();
  std::string text;
  for (std::size_t i = 0; i < 50'000; ++i) text += "a ";
  const Input input{text, std::nullopt};
  CHECK(model.classify({&input, 1})[0].truncated.at(0).start == 2 * 510 - 1);
  const Error error = error_of([&] { model.classify({&input, 1}, {.text = {.overlong = Overlong::error}}); });
  CHECK(error.code() == ErrorCode::E_TOO_LONG);
  CHECK(error.message().find("50002") != std::string::npos);
  CHECK(error.message().find("512") != std::string::npos);
}

TEST_CASE("a model without the head refuses to classify") {
  const Input input{"abc", std::nullopt};
  for (const char* architecture : {"BertModel", "BertForTokenClassification", "BertForMaskedLM",
                                   "BertForNextSentencePrediction", "BertForQuestionAnswering"}) {
    const Model model = random_model_of({.architecture = architecture});
    const Error error = error_of([&] { model.classify({&input, 1}); });
    CHECK(error.code() == ErrorCode::E_TASK_MISMATCH);
    CHECK(error.message().find(architecture) != std::string::npos);
  }
}

}  // namespace
}  // namespace headlight::test
