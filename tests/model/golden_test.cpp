// The engine against what Hugging Face's transformers computed.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "headlight.h"
#include "support/closeness.h"
#include "support/files.h"
#include "support/golden.h"

namespace headlight::test {
namespace {

std::vector<std::int32_t> ints(const nlohmann::json& values) {
  std::vector<std::int32_t> result;
  for (const auto& value : values) result.push_back(value.is_null() ? -1 : value.get<std::int32_t>());
  return result;
}

std::vector<std::int32_t> ints(const std::vector<float>& values) { return {values.begin(), values.end()}; }

std::vector<Span> spans(const nlohmann::json& values) {
  std::vector<Span> result;
  for (const auto& value : values) result.push_back({value[0], value[1]});
  return result;
}

void check_encoding(const Encoding& encoding, const nlohmann::json& expected) {
  CHECK(encoding.ids == ints(expected["input_ids"]));
  CHECK(encoding.tokens == expected["tokens"].get<std::vector<std::string>>());
  CHECK(encoding.type_ids == ints(expected["token_type_ids"]));
  CHECK(encoding.attention_mask == ints(expected["attention_mask"]));
  CHECK(encoding.offsets == spans(expected["offsets_utf16"]));
  CHECK(encoding.code_point_offsets == spans(expected["offsets"]));
  CHECK(encoding.word_ids == ints(expected["word_ids"]));
  CHECK(encoding.sequence_ids == ints(expected["sequence_ids"]));
  CHECK(encoding.special_tokens_mask == ints(expected["special_tokens_mask"]));
}

// Greatest distance of a row's sum from 1.
double row_sum_error(const std::vector<Tensor>& attentions) {
  double greatest = 0;
  for (const Tensor& layer : attentions) {
    const auto n = static_cast<std::ptrdiff_t>(layer.shape.back());
    for (auto row = layer.data.begin(); row != layer.data.end(); row += n) {
      greatest = std::max(greatest, std::abs(std::accumulate(row, row + n, 0.0) - 1));
    }
  }
  return greatest;
}

// all[i]
Tensor entry(const Tensor& all, std::size_t i) {
  const std::size_t size = all.data.size() / all.shape[0];
  const auto begin = all.data.begin() + static_cast<std::ptrdiff_t>(i * size);
  return {{begin, begin + static_cast<std::ptrdiff_t>(size)}, {all.shape.begin() + 1, all.shape.end()}};
}

// [rows, all] -> [rows, kept]
Tensor first_columns(const Tensor& tensor, std::size_t kept) {
  Tensor result{{}, {tensor.shape[0], kept}};
  for (std::size_t row = 0; row < tensor.shape[0]; ++row) {
    const auto begin = tensor.data.begin() + static_cast<std::ptrdiff_t>(row * tensor.shape[1]);
    result.data.insert(result.data.end(), begin, begin + static_cast<std::ptrdiff_t>(kept));
  }
  return result;
}

// The case's batch through one call: padded there, ragged here.
void check_batch(const GoldenCase& golden, const Model& model) {
  constexpr std::size_t kTokens[] = {0};  // the axis
  const nlohmann::json& batch = golden.json["batch"];
  const std::size_t max_length = batch["options"]["max_length"];
  std::vector<Encoding> encodings;
  std::vector<std::vector<std::int32_t>> masks;
  for (const auto& texts : batch["texts"]) {
    const std::size_t i = encodings.size();
    const Input input = input_of({{"text", texts[0]}, {"text_pair", texts[1]}});
    encodings.push_back(
        model.tokenizer().encode(input, {.max_length = max_length, .truncation = Truncation::longest_first}));
    masks.push_back(ints(entry(golden.tensors.at("batch.attention_mask"), i).data));
    const Tensor ids = entry(golden.tensors.at("batch.input_ids"), i);
    CHECK(encodings[i].ids == ints(without_padding(ids, masks[i], kTokens).data));
  }
  const std::vector<ForwardResult> results = model.forward(encodings, everything());
  REQUIRE(results.size() == encodings.size());

  std::size_t compared = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto check = [&](const std::string& name, const std::optional<Tensor>& result) {
      const auto found = golden.tensors.find("batch." + name);
      if (found == golden.tensors.end()) return;
      ++compared;
      INFO(golden.name << ", batch, text " << i);
      REQUIRE(result);
      Tensor actual = *result, expected = entry(found->second, i);
      if (expected.shape[0] == masks[i].size()) expected = without_padding(expected, masks[i], kTokens);
      if (name == "logits" && golden.json["task"] == "mlm") actual = first_columns(actual, expected.shape[1]);
      check_close(name, actual, expected, 1e-4 * scale_of(result->data));
    };
    check("logits", results[i].logits);
    check("start_logits", results[i].start_logits);
    check("end_logits", results[i].end_logits);
    check("last_hidden_state", results[i].last_hidden_state);
  }
  CHECK(compared >= results.size());
}

std::size_t check_all(const std::filesystem::path& root) {
  const auto cases = bert_cases(root);
  for (const auto& folder : cases) {
    const GoldenCase golden(folder);
    const Model model = Model::load(folder);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < golden.json["inputs"].size(); ++i) {
      INFO(golden.name << ", input " << i);
      const nlohmann::json& input = golden.json["inputs"][i];
      const Encoding encoding = model.tokenizer().encode(input_of(input), tokenize_options_of(input));
      check_encoding(encoding, input);
      const ForwardResult result = model.forward({&encoding, 1}, everything()).at(0);
      compared += check_golden(golden, i, result);
      CHECK(row_sum_error(result.attentions) <= 1e-5);
    }
    CHECK(compared >= golden.json["inputs"].size());
    check_batch(golden, model);
  }
  return cases.size();
}

TEST_CASE("the engine agrees with the committed goldens") { CHECK(check_all(committed_golden()) == 4); }

TEST_CASE("the engine agrees with all goldens of the BERT family") {
  const auto root = whole_golden();
  if (!root) SKIP("the whole set of goldens is not beside the checkout; HEADLIGHT_GOLDEN may name it");
  CHECK(check_all(*root) >= 11);
}

}  // namespace
}  // namespace headlight::test
