#include "tasks/embed.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "headlight.h"
#include "support/closeness.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/golden_report.h"
#include "support/own_model.h"
#include "tasks/pooling.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

Tensor embed(const Model& model, const Input& input, const EmbedOptions& options = {}) {
  return model.embed({&input, 1}, options).at(0).vector;
}

std::size_t check_goldens(const std::filesystem::path& root) {
  const std::pair<const char*, EmbedOptions> kinds[] = {
      {"embed_mean", {.pooling = Pooling::mean}},
      {"embed_mean_norm", {.pooling = Pooling::mean, .normalize = true}},
      {"embed_cls", {.pooling = Pooling::cls}},
      {"embed_cls_norm", {.pooling = Pooling::cls, .normalize = true}}};
  std::size_t compared = 0;
  for (const auto& folder : golden_cases(root)) {
    const GoldenCase golden(folder);
    const Model model = Model::load(folder);
    for (std::size_t i = 0; i < golden.json["inputs"].size(); ++i) {
      const auto& input = golden.json["inputs"][i];
      const std::string prefix = std::to_string(i) + ".";
      const auto task = golden.tensors.find(prefix + "task_type_ids");
      for (auto [name, options] : kinds) {
        if (!golden.tensors.contains(prefix + name)) continue;
        INFO(golden.name << " " << prefix << name);
        options.text.max_length = tokenize_options_of(input).max_length;
        if (task != golden.tensors.end())
          options.task_type_id = static_cast<std::size_t>(task->second.data[0]);
        const Tensor vector = embed(model, input_of(input), options);
        CHECK(greatest_difference(vector.data, golden.tensors.at(prefix + name).data) <= 1e-4);
        ++compared;
      }
    }
  }
  return compared;
}

TEST_CASE("embed agrees with PyTorch on the committed goldens") {
  CHECK(check_goldens(committed_golden()) >= 200);
}

TEST_CASE("embed agrees with PyTorch on all goldens") {
  const auto root = whole_golden();
  if (!root) SKIP("the whole set of goldens is not beside the checkout; HEADLIGHT_GOLDEN may name it");
  CHECK(check_goldens(*root) >= 400);
}

TEST_CASE("poolings") {
  const float rows[] = {1, -2, 3, 5, 2, 0};  // [3, 2]
  const auto pooled = [&](const char* mode, std::size_t skipped = 0) {
    std::vector<float> out;
    pool(mode, rows, 2, skipped, out);
    return out;
  };
  const auto close = [](const std::vector<float>& actual, const std::vector<float>& expected) {
    return greatest_difference(actual, expected) <= 1e-6;
  };
  CHECK(pooled("cls") == std::vector<float>{1, -2});
  CHECK(pooled("lasttoken") == std::vector<float>{2, 0});
  CHECK(pooled("max") == std::vector<float>{3, 5});
  CHECK(close(pooled("mean"), {2, 1}));
  CHECK(close(pooled("mean", 1), {2.5f, 2.5f}));
  CHECK(close(pooled("mean", 9), {2, 0}));
  CHECK(pooled("cls", 1) == std::vector<float>{1, -2});
  CHECK(close(pooled("mean_sqrt_len_tokens"), {6 / std::sqrt(3.0f), 3 / std::sqrt(3.0f)}));
  CHECK(close(pooled("weightedmean"), {(1 + 6 + 6) / 6.0f, (-2 + 10 + 0) / 6.0f}));
  std::vector<float> zero{0, 0}, vector{3, 4};
  normalize(zero);
  normalize(vector);
  CHECK(zero == std::vector<float>{0, 0});
  CHECK(close(vector, {0.6f, 0.8f}));
}

TEST_CASE("any hidden state, a vector a token, batches of any length") {
  const Model model = random_model_of({.architecture = "BertModel"});
  const Input input{"abc def"};
  const Encoding encoding = model.tokenizer().encode(input);
  const ForwardResult forward =
      model.forward({&encoding, 1}, {.last_hidden_state = true, .hidden_states = true})[0];
  const std::size_t size = forward.last_hidden_state->data.size();
  for (const int layer : {0, 1, 2, -1, -2, -3}) {
    const Tensor tokens = embed(model, input, {.pooling = Pooling::none, .layer = layer});
    CHECK(tokens.shape == std::vector<std::size_t>{encoding.size(), model.info().hidden_size});
    const std::size_t at = static_cast<std::size_t>((layer + 3) % 3) * size;
    CHECK(greatest_difference(tokens.data, std::span(forward.hidden_states->data).subspan(at, size)) <= 1e-6);
  }
  CHECK(error_of([&] { embed(model, input, {.layer = 3}); }).code() == ErrorCode::E_INVALID_ARGUMENT);
  const std::vector<Input> inputs(70, {"abc def ghi jkl mno"});
  const auto vectors = model.embed(inputs);
  REQUIRE(vectors.size() == 70);
  CHECK(greatest_difference(vectors[69].vector.data, embed(model, inputs[0]).data) <= 1e-6);
  CHECK(model.embed({}).empty());
  const std::vector<Input> mixed{{"a"}, {"abc def"}};
  const Error too_long =
      error_of([&] { model.embed(mixed, {.text = {.overlong = Overlong::error, .max_length = 4}}); });
  CHECK(too_long.code() == ErrorCode::E_TOO_LONG);
  CHECK(too_long.message().starts_with("input 1 "));
  CHECK(embed(model, {""}).shape == std::vector<std::size_t>{16});
  CHECK(error_of([&] { embed(model, input, {.text = {.overlong = Overlong::window}}); }).code() ==
        ErrorCode::E_INVALID_ARGUMENT);
}

TEST_CASE("a task type that the model does not have is refused") {
  const Model model = Model::load(committed_golden() / "ernie-seqcls");
  CHECK(error_of([&] { embed(model, {"ab"}, {.task_type_id = 3}); }).code() == ErrorCode::E_INVALID_ARGUMENT);
  CHECK(embed(model, {"ab"}, {.task_type_id = 2}).data != embed(model, {"ab"}).data);
}

Model sentence_model(const std::string& modules, const std::string& pooling,
                     const std::string& prompts = "{}") {
  const TemporaryFolder folder;
  write_bert(folder.path(), {.architecture = "BertModel"});
  write_file(folder.path() / "modules.json", modules);
  write_file(folder.path() / "config_sentence_transformers.json", prompts);
  std::filesystem::create_directory(folder.path() / "1_Pooling");
  write_file(folder.path() / "1_Pooling" / "config.json", pooling);
  return Model::load(folder.path());
}

const std::string kModules =
    R"([{"path": "", "type": "sentence_transformers.models.Transformer"},
        {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}])";

TEST_CASE("a folder of sentence-transformers says what its vectors are") {
  const Model model = sentence_model(
      kModules,
      R"({"pooling_mode_cls_token": true, "pooling_mode_max_tokens": true, "include_prompt": false})",
      R"({"prompts": {"query": "q: ", "none": ""}, "default_prompt_name": "query"})");
  const Input input{"abc"}, prompted{"q: abc"};
  const Tensor vector = embed(model, input);
  CHECK(vector.shape == std::vector<std::size_t>{32});
  double squares = 0;
  for (const float value : vector.data) squares += value * value;
  CHECK(std::abs(squares - 1) <= 1e-5);
  CHECK(greatest_difference(embed(model, input, {.prompt = "q: "}).data, vector.data) == 0);
  CHECK(greatest_difference(embed(model, input, {.prompt_name = "none"}).data, vector.data) > 0.01);
  CHECK(error_of([&] { embed(model, input, {.prompt_name = "passage"}); }).code() ==
        ErrorCode::E_INVALID_ARGUMENT);
  // The mean without the prompt: [CLS] q : are left out of "[CLS] q : a ##b ##c [SEP]".
  const Tensor tokens = embed(model, prompted, {.pooling = Pooling::none, .normalize = false, .prompt = ""});
  REQUIRE(tokens.shape[0] == 7);
  std::vector<float> mean;
  pool("mean", tokens.data, 16, 3, mean);
  CHECK(greatest_difference(embed(model, input, {.pooling = Pooling::mean, .normalize = false}).data, mean) <=
        1e-6);
}

TEST_CASE("vectors that need a module which is not computed are refused by its name") {
  const Model model = sentence_model(
      R"([{"path": "", "type": "sentence_transformers.models.Transformer"},
          {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
          {"path": "2_Dense", "type": "sentence_transformers.models.Dense"}])",
      R"({"pooling_mode_mean_tokens": true})");
  const Error error = error_of([&] { embed(model, {"abc"}); });
  CHECK(error.code() == ErrorCode::E_UNSUPPORTED_OPTION);
  CHECK(error.message().find("2_Dense") != std::string::npos);
  CHECK(embed(model, {"abc"}, {.pooling = Pooling::mean}).shape[0] == 16);
}

TEST_CASE("a cut is counted in the text that was given") {
  const Model model = random_model_of({.architecture = "BertModel", .max_position_embeddings = 8});
  const Input input{"a b c d e f g"};
  CHECK(model.embed({&input, 1})[0].truncated.at(0).start == 11);
  CHECK(model.embed({&input, 1}, {.prompt = "\xC3\xA9 y "})[0].truncated.at(0).start == 7);
}

}  // namespace
}  // namespace headlight::test
