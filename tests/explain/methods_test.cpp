// Explanations against PyTorch's and against their papers' formulas in NumPy (scripts/golden/make_explanations.py); packs,
// bad input, and runs that end half-way.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <numeric>

#include "headlight.h"
#include "support/closeness.h"
#include "support/explain_report.h"
#include "support/files.h"
#include "support/own_model.h"
#include "support/random_bert.h"

namespace headlight::test {
namespace {

constexpr double kTolerance = 1e-3;

Tensor expected_tensor(const std::string& name) {
  static const Tensors all =
      read_tensors(std::filesystem::path(HEADLIGHT_TEST_DATA) / "explain" / "bert-multilabel.safetensors");
  return all.at(name);
}

void check(const std::string& name, const Tensor& actual) {
  const Tensor expected = expected_tensor(name);
  INFO(greatest_difference(actual.data, expected.data));
  check_close(name, actual, expected, kTolerance * scale_of(expected.data));
}

TEST_CASE("gradients, integrated gradients, relevance and rollout agree with PyTorch's") {
  const auto root = whole_golden().value_or(committed_golden());
  std::size_t compared = 0;
  for (const auto& folder : golden_cases(root)) {
    const GoldenCase golden(folder);
    const Model model = Model::load(folder);
    for (std::size_t i = 0; i < golden.json["inputs"].size(); ++i) {
      for (const auto& [name, agreement] : explain_agreement(golden, model, i)) {
        INFO(golden.name << ", input " << i << ": " << name);
        CHECK(agreement.share <= 1);
        ++compared;
      }
    }
  }
  CHECK(compared >= (whole_golden() ? 84u : 6u));
}

TEST_CASE("methods without a gradient agree with NumPy") {
  const GoldenCase golden(committed_golden() / "bert-multilabel");
  const Model model = Model::load(golden.folder);
  const Encoding encoding = model.tokenizer().encode(input_of(golden.json["inputs"][0]),
                                                     tokenize_options_of(golden.json["inputs"][0]));
  const auto explain = [&](ExplainOptions options) {
    options.details = true;
    return model.explain(encoding, options);
  };
  check("flow", explain({.method = ExplainMethod::flow}).scores);
  check("norms", stacked(explain({.method = ExplainMethod::norms}).details));
  const Explanation zeroing = explain({.method = ExplainMethod::value_zeroing});
  check("value_zeroing", stacked(zeroing.details));
  check("value_zeroing_row", zeroing.scores);
  const Explanation importance = explain({.method = ExplainMethod::head_importance});
  check("head_importance", importance.scores);
  CHECK(*importance.target.label == static_cast<std::size_t>(expected_tensor("target").data[0]));
  const Explanation masked = explain({.method = ExplainMethod::occlusion});
  check("occlusion_mask", masked.scores);
  check("occlusion_mask_probability", *masked.probability_scores);
  const Explanation words = explain({.method = ExplainMethod::occlusion, .words = true});
  check("occlusion_words", words.scores);
  check("occlusion_words_probability", *words.probability_scores);
  const Explanation removed = explain({.method = ExplainMethod::occlusion, .remove = true});
  check("occlusion_remove", removed.scores);
  check("occlusion_remove_probability", *removed.probability_scores);
}

// The case's folder as an int8 pack.
void write_pack(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::string packed;
  Packer packer([&packed](std::uint64_t offset, std::span<const std::byte> bytes) {
    packed.resize(std::max<std::size_t>(packed.size(), static_cast<std::size_t>(offset) + bytes.size()));
    std::copy_n(reinterpret_cast<const char*>(bytes.data()), bytes.size(), packed.data() + offset);
  });
  const std::string weights = read_file(from / "model.safetensors");
  packer.feed(std::as_bytes(std::span(weights)));
  packer.finish();
  for (const std::string& name : ModelLoader::small_files()) {
    if (std::filesystem::exists(from / name)) write_file(to / name, read_file(from / name));
  }
  write_file(to / "model.int8.safetensors", packed);
}

TEST_CASE("a pack is explained as the checkpoint that it multiplies out to") {
  const auto root = whole_golden().value_or(committed_golden());
  std::size_t compared = 0;
  for (const auto& folder : golden_cases(root)) {
    const GoldenCase golden(folder);
    const TemporaryFolder pack;
    write_pack(folder, pack.path());
    const Model int8 = Model::load(pack.path(), {.precision = Precision::int8});
    const Model values = Model::load(pack.path(), {.precision = Precision::float32});
    if (int8.info().problem_type.empty()) continue;
    const nlohmann::json& input = golden.json["inputs"][0];
    const Encoding encoding = int8.tokenizer().encode(input_of(input), tokenize_options_of(input));
    for (const auto method :
         {ExplainMethod::gradient_input, ExplainMethod::relevance, ExplainMethod::norms}) {
      const ExplainOptions options{.method = method, .details = true};
      const Explanation actual = int8.explain(encoding, options),
                        expected = values.explain(encoding, options);
      INFO(golden.name << ", method " << static_cast<int>(method));
      check_close("scores", actual.scores, expected.scores, kTolerance * scale_of(expected.scores.data));
      check_close("details", actual.details[0], expected.details[0],
                  kTolerance * scale_of(expected.details[0].data));
      if (method == ExplainMethod::norms) continue;
      check_close("logits", *actual.logits, *expected.logits, 1e-4 * scale_of(expected.logits->data));
      CHECK_FALSE(expected.forward_distance);
      REQUIRE(actual.forward_distance);
      CHECK(*actual.forward_distance < 0.5f * static_cast<float>(scale_of(expected.logits->data)));
      ++compared;
    }
  }
  CHECK(compared >= 14);
}

TEST_CASE("scores are sums, means and rows of what they are made of") {
  const RandomBert shape{.hidden_size = 15, .num_hidden_layers = 3, .num_attention_heads = 3};
  const Model model = random_model_of(shape);
  const Encoding encoding = random_encoding(shape, 23, 4);
  const Explanation integrated =
      model.explain(encoding, {.method = ExplainMethod::integrated_gradients, .steps = 200, .details = true});
  const double sum = std::accumulate(integrated.scores.data.begin(), integrated.scores.data.end(), 0.0);
  CHECK(std::abs(sum - integrated.completeness->sum) <= 1e-4);
  CHECK(std::abs(integrated.completeness->error) <= 0.02 * std::max(1.0, std::abs(sum)));
  CHECK_FALSE(integrated.forward_distance);
  CHECK(integrated.logits->data.size() == 3);
  for (const auto method : {ExplainMethod::relevance, ExplainMethod::rollout}) {
    const Explanation whole = model.explain(encoding, {.method = method, .details = true});
    const Explanation alone = model.explain(encoding, {.method = method});
    CHECK(alone.details.empty());
    CHECK(whole.details.front().shape == std::vector<std::size_t>{23, 23});
    CHECK(greatest_difference(alone.scores.data, whole.scores.data) <= 1e-5);
    CHECK(std::equal(whole.scores.data.begin(), whole.scores.data.end(), whole.details.front().data.begin()));
  }
}

// In the smallest steps, whose count and work are as they should be.
Explanation stepwise(const Model& model, const Encoding& encoding, const ExplainOptions& options) {
  const auto run = model.begin_explain(encoding, options);
  std::uint64_t before = 0;
  std::size_t steps = 0, falls = 0;
  while (run->step(1)) {
    REQUIRE(++steps < 100'000);
    falls += run->work_done() < before || run->work_done() > run->work_total();
    before = run->work_done();
  }
  CHECK(steps > 5);
  CHECK(falls == 0);
  CHECK(run->work_done() == run->work_total());
  CHECK_FALSE(run->step(1));
  return std::move(run->result().front());
}

TEST_CASE("threads, and steps of any size, give the same numbers") {
  const RandomBert shape{
      .hidden_size = 64, .num_hidden_layers = 2, .num_attention_heads = 4, .intermediate_size = 200};
  const TemporaryFolder folder;
  write_bert(folder.path(), shape);
  const Model one = Model::load(folder.path()), three = Model::load(folder.path(), {.threads = 3});
  const Encoding encoding = random_encoding(shape, 130);
  for (const auto method : {ExplainMethod::gradient_input, ExplainMethod::relevance, ExplainMethod::norms,
                            ExplainMethod::value_zeroing}) {
    const ExplainOptions options{.method = method, .details = true};
    const Explanation whole = one.explain(encoding, options), shared = three.explain(encoding, options);
    CHECK(whole.scores.data == shared.scores.data);
    CHECK(stepwise(one, encoding, options).scores.data == whole.scores.data);
  }
}

TEST_CASE("small steps end, and give the same numbers, for every method and precision") {
  const RandomBert shape{.hidden_size = 16, .num_hidden_layers = 2, .num_attention_heads = 2};
  const TemporaryFolder folder;
  write_bert(folder.path(), shape);
  for (const auto precision : {Precision::float32, Precision::int8}) {
    const Model model = Model::load(folder.path(), {.precision = precision});
    const Encoding encoding = random_encoding(shape, 12);
    for (int method = 0; method <= static_cast<int>(ExplainMethod::value_zeroing); ++method) {
      const ExplainOptions options{.method = static_cast<ExplainMethod>(method), .steps = 3};
      INFO("method " << method);
      const Explanation whole = model.explain(encoding, options), parts = stepwise(model, encoding, options);
      CHECK(parts.scores.data == whole.scores.data);
      CHECK(parts.forward_distance == whole.forward_distance);
    }
  }
}

TEST_CASE("a head that is off is off in the forward pass, the attentions and the explanation") {
  const RandomBert shape{.hidden_size = 15, .num_hidden_layers = 2, .num_attention_heads = 3};
  const Model model = random_model_of(shape);
  const Encoding encoding = random_encoding(shape, 11);
  const std::vector<std::vector<float>> mask{{1, 0, 0.5f}, {1, 1, 0}}, ones{{1, 1, 1}, {1, 1, 1}};
  const auto forward = [&](const std::vector<std::vector<float>>& head_mask) {
    return model.forward({&encoding, 1}, {.attentions = true, .head_mask = head_mask})[0];
  };
  const ForwardResult plain = forward({}), all_on = forward(ones), some_off = forward(mask);
  CHECK(plain.logits->data == all_on.logits->data);
  CHECK(plain.logits->data != some_off.logits->data);
  for (std::size_t i = 0; i < 11 * 11; ++i) {
    CHECK(some_off.attentions[0].data[11 * 11 + i] == 0);
    CHECK(some_off.attentions[0].data[2 * 11 * 11 + i] == plain.attentions[0].data[2 * 11 * 11 + i] * 0.5f);
  }
  const Explanation explanation =
      model.explain(encoding, {.method = ExplainMethod::head_importance, .head_mask = mask});
  check_close("logits", *explanation.logits, *some_off.logits, 1e-5);
  CHECK(explanation.scores.data[1] == 0);
  CHECK(explanation.scores.data[5] == 0);
}

TEST_CASE("every head has its targets") {
  const auto root = whole_golden().value_or(committed_golden());
  std::size_t explained = 0;
  for (const auto& folder : golden_cases(root)) {
    const GoldenCase golden(folder);
    const Model model = Model::load(folder);
    const nlohmann::json& input = golden.json["inputs"][0];
    const Encoding encoding = model.tokenizer().encode(input_of(input), tokenize_options_of(input));
    const auto fits = [&](const char* task) {
      return std::find(model.info().tasks.begin(), model.info().tasks.end(), task) !=
             model.info().tasks.end();
    };
    ExplainTarget target;
    if (fits("entities") || fits("fillMask") || golden.json["task"] == "disc") target.token = 2;
    const bool has_head = fits("classify") || fits("answer") || fits("nextSentence") || target.token;
    if (!has_head) continue;
    INFO(golden.name);
    for (const auto method : {ExplainMethod::gradient_input, ExplainMethod::occlusion}) {
      const Explanation explanation = model.explain(encoding, {.method = method, .target = target});
      const auto tokens = static_cast<std::size_t>(
          std::count(encoding.attention_mask.begin(), encoding.attention_mask.end(), 1));
      CHECK(explanation.scores.data.size() == tokens);
      CHECK(explanation.target_logit < explanation.logits->data.size());
      const auto nonzero = std::count_if(explanation.scores.data.begin(), explanation.scores.data.end(),
                                         [](float score) { return score != 0; });
      CHECK(nonzero > 1);
    }
    ++explained;
  }
  CHECK(explained >= 15);
}

ErrorCode code_of(const Model& model, const Encoding& encoding, const ExplainOptions& options) {
  try {
    model.explain(encoding, options);
  } catch (const Error& error) {
    CHECK_FALSE(error.message().empty());
    return error.code();
  }
  return ErrorCode::E_INTERNAL;
}

TEST_CASE("bad targets and options are refused, and the model goes on working") {
  const RandomBert shape;
  const Model classifier = random_model_of(shape);
  RandomBert bare_shape = shape, tokens_shape = shape, answer_shape = shape;
  bare_shape.architecture = "BertModel";
  bare_shape.prefix = "";
  tokens_shape.architecture = "BertForTokenClassification";
  answer_shape.architecture = "BertForQuestionAnswering";
  const Model bare = random_model_of(bare_shape), tokens = random_model_of(tokens_shape),
              answers = random_model_of(answer_shape);
  const Encoding encoding = random_encoding(shape, 9), longer = random_encoding(shape, 129);
  const auto invalid = ErrorCode::E_INVALID_ARGUMENT;
  CHECK(code_of(classifier, encoding, {.target = {.label = 3}}) == invalid);
  CHECK(code_of(classifier, encoding, {.target = {.token = 1}}) == invalid);
  CHECK(code_of(classifier, encoding, {.target = {.end = true}}) == invalid);
  CHECK(code_of(classifier, encoding, {.head_mask = {{1, 1}, {1}}}) == invalid);
  CHECK(code_of(classifier, encoding, {.head_mask = {{1, 1, 1, 1}}}) == invalid);
  CHECK(code_of(classifier, encoding, {.head_mask = {{1}, {1}, {1}, {1}}}) == invalid);
  CHECK(code_of(classifier, encoding, {.head_mask = {{1, 1}, {1, 2}}}) == invalid);
  CHECK(code_of(classifier, encoding, {.head_mask = {{1, 1}, {1, NAN}}}) == invalid);
  CHECK(code_of(classifier, encoding, {.method = ExplainMethod::integrated_gradients, .steps = 0}) ==
        invalid);
  CHECK(code_of(classifier, encoding, {.method = ExplainMethod::integrated_gradients, .steps = 1001}) ==
        invalid);
  CHECK(code_of(classifier, longer, {.method = ExplainMethod::flow}) == invalid);
  CHECK(code_of(classifier, encoding, {.method = ExplainMethod::rollout, .target = {.token = 9}}) == invalid);
  CHECK(code_of(tokens, encoding, {}) == invalid);
  CHECK(code_of(tokens, encoding, {.target = {.token = 9}}) == invalid);
  CHECK(code_of(answers, encoding, {.target = {.label = 0}}) == invalid);
  CHECK(code_of(answers, encoding, {.method = ExplainMethod::occlusion, .target = {.token = 9}}) == invalid);
  CHECK(code_of(bare, encoding, {}) == ErrorCode::E_TASK_MISMATCH);
  CHECK(code_of(bare, encoding, {.method = ExplainMethod::occlusion}) == ErrorCode::E_TASK_MISMATCH);
  CHECK(code_of(classifier, random_encoding(shape, 513), {}) == ErrorCode::E_TOO_LONG);
  Encoding unknown = encoding;
  unknown.ids[2] = 100000;
  for (const auto method :
       {ExplainMethod::gradient_input, ExplainMethod::rollout, ExplainMethod::occlusion}) {
    CHECK(code_of(classifier, unknown, {.method = method}) == invalid);
  }

  const ForwardResult before = classifier.forward({&encoding, 1})[0];
  for (int method = 0; method <= static_cast<int>(ExplainMethod::value_zeroing); ++method) {
    const ExplainOptions options{.method = static_cast<ExplainMethod>(method)};
    const Explanation whole = classifier.explain(encoding, options);
    {
      const auto dropped = classifier.begin_explain(encoding, options);
      for (int step = 0; step < 5; ++step) dropped->step(1);
    }
    CHECK(classifier.explain(encoding, options).scores.data == whole.scores.data);
  }
  CHECK(classifier.forward({&encoding, 1})[0].logits->data == before.logits->data);
  CHECK(bare.explain(encoding, {.method = ExplainMethod::rollout}).scores.data.size() == 9);
}

}  // namespace
}  // namespace headlight::test
