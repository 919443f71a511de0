#include "tasks/fill_mask.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "headlight.h"
#include "support/files.h"
#include "support/own_model.h"
#include "support/pipeline_golden.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

std::vector<std::vector<FilledMask>> fill(const Model& model, const Input& input,
                                          const FillMaskOptions& options = {}) {
  return model.fill_mask({&input, 1}, options).at(0).masks;
}

std::size_t check_pipeline(const std::filesystem::path& root) {
  return for_each_call(root, "fill-mask", [](const Model& model, const nlohmann::json& call) {
    FillMaskOptions options{.top_k = call.value("top_k", std::size_t{5})};
    if (call.contains("targets")) options.targets = call["targets"].get<std::vector<std::string>>();
    const auto masks = fill(model, {call["text"]}, options);
    nlohmann::json expected = call["result"];
    if (expected[0].is_object()) expected = nlohmann::json::array({expected});
    REQUIRE(masks.size() == expected.size());
    for (std::size_t m = 0; m < masks.size(); ++m) {
      REQUIRE(masks[m].size() == expected[m].size());
      for (std::size_t i = 0; i < masks[m].size(); ++i) {
        CHECK(masks[m][i].token == expected[m][i]["token"].get<std::int32_t>());
        CHECK(masks[m][i].token_text == expected[m][i]["token_str"].get<std::string>());
        CHECK(masks[m][i].sequence == expected[m][i]["sequence"].get<std::string>());
        check_score(masks[m][i].score, expected[m][i]["score"]);
      }
    }
  });
}

TEST_CASE("fill_mask agrees with transformers' pipeline on the committed goldens") {
  CHECK(check_pipeline(committed_golden()) >= 30);
}

TEST_CASE("fill_mask agrees with transformers' pipeline on all goldens") {
  const auto root = whole_golden();
  if (!root) SKIP("the whole set of goldens is not beside the checkout; HEADLIGHT_GOLDEN may name it");
  CHECK(check_pipeline(*root) >= 40);
}

const RandomBert kMasked{.architecture = "BertForMaskedLM"};

TEST_CASE("scores are those of the whole vocabulary") {
  const Model model = random_model_of(kMasked);
  const Input input{"a [MASK] b [MASK]"};
  const Encoding encoding = model.tokenizer().encode(input);
  const Tensor logits = *model.forward({&encoding, 1})[0].logits;
  const auto masks = fill(model, input, {.top_k = 1000});
  REQUIRE(masks.size() == 2);
  for (std::size_t m = 0; m < 2; ++m) {
    REQUIRE(masks[m].size() == model.info().vocab_size);
    const float* row = logits.data.data() + (m == 0 ? 2 : 4) * model.info().vocab_size;
    double sum = 0, all = 0;
    for (std::size_t id = 0; id < model.info().vocab_size; ++id) all += std::exp(row[id]);
    for (const FilledMask& filled : masks[m]) {
      sum += filled.score;
      CHECK(std::abs(filled.score - std::exp(row[filled.token]) / all) <= 1e-6);
    }
    CHECK(std::abs(sum - 1) <= 1e-5);
  }
}

TEST_CASE("only the rows of one token go through the head") {
  const Model model = random_model_of(kMasked);
  const Encoding encoding = model.tokenizer().encode({"a [MASK] b [MASK]"});
  const Tensor all = *model.forward({&encoding, 1})[0].logits;
  const auto forward = model.begin_forward({&encoding, 1}, {.logits_of_token = model.tokenizer().mask_id()});
  const auto whole = model.begin_forward({&encoding, 1}, {});
  CHECK(whole->work_total() - forward->work_total() >=
        4 * model.info().vocab_size * model.info().hidden_size);
  const Tensor rows = *forward->result()[0].logits;
  REQUIRE(rows.shape == std::vector<std::size_t>{2, model.info().vocab_size});
  for (std::size_t i = 0; i < model.info().vocab_size; ++i) {
    CHECK(std::abs(rows.data[i] - all.data[2 * model.info().vocab_size + i]) <= 1e-5);
  }
  CHECK(model.forward({&encoding, 1}, {.logits_of_token = 5})[0].logits->shape[0] == 1);
  CHECK(model.forward({&encoding, 1}, {.logits_of_token = 60})[0].logits->shape[0] == 0);
}

TEST_CASE("targets: tokens, texts of one token, each once; others are refused by name") {
  const Model model = random_model_of(kMasked);
  const auto filled = fill(model, {"a [MASK]"}, {.targets = {"b", "##c", "B", "b"}})[0];
  REQUIRE(filled.size() == 2);
  CHECK(filled[0].score >= filled[1].score);
  for (const char* target : {"bc", "\xE4\xB8\x8A", ""}) {
    const Error error = error_of([&] { fill(model, {"a [MASK]"}, {.targets = {"b", target}}); });
    CHECK(error.code() == ErrorCode::E_INVALID_ARGUMENT);
    CHECK(error.message().find(std::string("\"") + target + "\"") != std::string::npos);
  }
}

TEST_CASE("many texts with masks in different places come back in order") {
  const Model model = random_model_of(kMasked);
  const std::vector<Input> inputs{{"a [MASK]"}, {"[MASK] b [MASK] c"}, {"a", "b [MASK]"}};
  const auto together = model.fill_mask(inputs);
  REQUIRE(together.size() == 3);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto alone = fill(model, inputs[i]);
    REQUIRE(alone.size() == together[i].masks.size());
    for (std::size_t m = 0; m < alone.size(); ++m) {
      CHECK(alone[m][0].token == together[i].masks[m][0].token);
      CHECK(std::abs(alone[m][0].score - together[i].masks[m][0].score) <= 1e-6);
    }
  }
}

TEST_CASE("without a mask there is nothing to fill") {
  const Model model = random_model_of({.architecture = "BertForMaskedLM", .max_position_embeddings = 8});
  const Error none = error_of([&] { fill(model, {"a b"}); });
  CHECK(none.code() == ErrorCode::E_INVALID_ARGUMENT);
  CHECK(none.message().find("[MASK]") != std::string::npos);
  const Error cut = error_of([&] { fill(model, {"a b c d e f g [MASK]"}); });
  CHECK(cut.message().find("cut") != std::string::npos);
  CHECK(error_of([&] { fill(model, {"a [MASK]"}, {.text = {.overlong = Overlong::window}}); }).code() ==
        ErrorCode::E_INVALID_ARGUMENT);
  CHECK(error_of([&] { fill(random_model_of({}), {"a [MASK]"}); }).code() == ErrorCode::E_TASK_MISMATCH);
  CHECK(model.fill_mask({}).empty());
}

}  // namespace
}  // namespace headlight::test
