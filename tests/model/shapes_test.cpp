// Shapes that no golden has, against the float64 encoder.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "headlight.h"
#include "reference/bert.h"
#include "support/closeness.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/random_bert.h"

namespace headlight::test {
namespace {

constexpr double kTolerance = 1e-4;

void check_same(const ForwardResult& actual, const ForwardResult& expected) {
  const auto check = [](const std::string& name, const std::optional<Tensor>& a,
                        const std::optional<Tensor>& b) {
    REQUIRE(a.has_value() == b.has_value());
    if (a) check_close(name, *a, *b, kTolerance * scale_of(b->data));
  };
  const auto check_layers = [&](const std::string& name, const std::vector<Tensor>& a,
                                const std::vector<Tensor>& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) check(name + " of layer " + std::to_string(i), a[i], b[i]);
  };
  check("last_hidden_state", actual.last_hidden_state, expected.last_hidden_state);
  check("hidden_states", actual.hidden_states, expected.hidden_states);
  check("pooler_output", actual.pooler_output, expected.pooler_output);
  check("logits", actual.logits, expected.logits);
  check("start_logits", actual.start_logits, expected.start_logits);
  check("end_logits", actual.end_logits, expected.end_logits);
  check_layers("attentions", actual.attentions, expected.attentions);
  check_layers("queries", actual.queries, expected.queries);
  check_layers("keys", actual.keys, expected.keys);
  check_layers("values", actual.values, expected.values);
}

void check_against_reference(const RandomBert& shape, const std::vector<Encoding>& encodings) {
  const TemporaryFolder folder;
  write_bert(folder.path(), shape);
  const reference::Bert reference(folder.path());
  const Model model = Model::load(folder.path());
  const std::vector<ForwardResult> results = model.forward(encodings, everything());
  REQUIRE(results.size() == encodings.size());
  for (std::size_t i = 0; i < encodings.size(); ++i) {
    INFO("input " << i << " of " << encodings[i].size() << " positions");
    check_same(results[i], reference.forward(encodings[i]));
  }
}

TEST_CASE("lengths from one token to the longest agree with the float64 encoder") {
  const std::string position = GENERATE("absolute", "relative_key", "relative_key_query");
  const RandomBert shape{.position_embedding_type = position};
  std::vector<Encoding> encodings;
  for (const std::size_t n : {1, 2, 7, 129, 512}) encodings.push_back(random_encoding(shape, n));
  INFO(position);
  check_against_reference(shape, encodings);
}

TEST_CASE("sizes that no tile divides agree with the float64 encoder") {
  const RandomBert shape = GENERATE(
      RandomBert{.hidden_size = 64, .num_attention_heads = 1},
      RandomBert{.hidden_size = 64, .num_attention_heads = 16},
      RandomBert{.hidden_size = 15, .num_attention_heads = 3, .intermediate_size = 37},
      RandomBert{.hidden_size = 1, .num_attention_heads = 1, .intermediate_size = 1, .layer_norm_eps = 0.5},
      RandomBert{
          .hidden_size = 16, .num_hidden_layers = 5, .num_attention_heads = 16, .intermediate_size = 3},
      RandomBert{
          .hidden_size = 15, .num_attention_heads = 3, .position_embedding_type = "relative_key_query"});
  INFO("hidden_size " << shape.hidden_size << ", num_attention_heads " << shape.num_attention_heads);
  check_against_reference(shape, {random_encoding(shape, 7), random_encoding(shape, 50, 0, 2)});
}

TEST_CASE("every head agrees with the float64 encoder") {
  const std::string architecture =
      GENERATE("BertModel", "BertForSequenceClassification", "BertForTokenClassification", "BertForMaskedLM",
               "BertForNextSentencePrediction", "BertForQuestionAnswering");
  const RandomBert shape{.architecture = architecture,
                         .vocab_size = 203,
                         .num_labels = 5,
                         .prefix = architecture == std::string("BertModel") ? "" : "bert."};
  INFO(architecture);
  check_against_reference(shape, {random_encoding(shape, 19), random_encoding(shape, 1)});
}

TEST_CASE("every activation and any epsilon agrees with the float64 encoder") {
  const std::string activation = GENERATE("gelu", "gelu_new", "relu", "silu", "tanh");
  const RandomBert shape{.num_labels = 1, .hidden_act = activation, .layer_norm_eps = 0.01};
  INFO(activation);
  check_against_reference(shape, {random_encoding(shape, 19)});
}

TEST_CASE("padding, computed and masked there, changes nothing") {
  const RandomBert shape;
  const std::vector<Encoding> padded{random_encoding(shape, 9, 55), random_encoding(shape, 60, 4, 2)};
  check_against_reference(shape, padded);

  const TemporaryFolder folder;
  write_bert(folder.path(), shape);
  const Model model = Model::load(folder.path());
  const std::vector<Encoding> bare{random_encoding(shape, 9), random_encoding(shape, 60, 0, 2)};
  const auto with = model.forward(padded, everything()), without = model.forward(bare, everything());
  for (std::size_t i = 0; i < bare.size(); ++i) {
    CHECK(with[i].logits->data == without[i].logits->data);
    CHECK(with[i].hidden_states->data == without[i].hidden_states->data);
  }
}

}  // namespace
}  // namespace headlight::test
