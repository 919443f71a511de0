// The two articles' own sentences through the demo models in float32, against PyTorch and scikit-learn.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "headlight.h"
#include "support/closeness.h"
#include "support/files.h"
#include "support/tensor_file.h"

namespace headlight::test {
namespace {

constexpr double kTolerance = 1e-4;

struct Article {
  explicit Article(const std::string& name)
      : json(nlohmann::json::parse(read_file(*whole_golden() / "articles" / (name + ".json")))),
        tensors(read_tensors(*whole_golden() / "articles" / (name + ".safetensors"))),
        input{json["text"], std::nullopt},
        model(Model::load(*demo_models() / json["model"].get<std::string>(),
                          {.precision = Precision::float32})) {}

  // attentions [layers, heads, n, n] layer by layer.
  void check_forward(const ForwardResult& result) const {
    Tensor attentions{{}, tensors.at("attentions").shape};
    for (const Tensor& layer : result.attentions) {
      attentions.data.insert(attentions.data.end(), layer.data.begin(), layer.data.end());
    }
    check_close("attentions", attentions, tensors.at("attentions"), kTolerance);
    check_close("last_hidden_state", *result.last_hidden_state, tensors.at("last_hidden_state"), kTolerance);
    check_close("logits", *result.logits, tensors.at("logits"),
                kTolerance * scale_of(tensors.at("logits").data));
  }

  ForwardResult forward(const Encoding& encoding) const {
    return model.forward({&encoding, 1}, {.last_hidden_state = true, .attentions = true})[0];
  }

  void check_labels(const std::vector<LabelScore>& labels) const {
    REQUIRE(labels.size() == json["result"].size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      CHECK(labels[i].label == json["result"][i]["label"].get<std::string>());
      CHECK(std::abs(labels[i].score - json["result"][i]["score"].get<double>()) <= kTolerance);
    }
  }

  nlohmann::json json;
  Tensors tensors;
  Input input;
  Model model;
};

constexpr const char* kSkipped = "the demo models and the whole set of goldens are not beside the checkout";

TEST_CASE("the film sentence, padded to 64 and not") {
  if (!demo_models()) SKIP(kSkipped);
  const Article movie("movie");
  const Encoding padded = movie.model.tokenizer().encode(
      movie.input, {.max_length = 64, .truncation = Truncation::longest_first, .pad_to_max_length = true});
  CHECK(padded.ids == movie.json["input_ids"].get<std::vector<std::int32_t>>());
  CHECK(padded.attention_mask == movie.json["attention_mask"].get<std::vector<std::int32_t>>());
  const ForwardResult with_padding = movie.forward(padded),
                      without = movie.forward(movie.model.tokenizer().encode(movie.input));
  movie.check_forward(with_padding);
  movie.check_forward(without);
  CHECK(with_padding.logits->data == without.logits->data);
  CHECK(with_padding.last_hidden_state->data == without.last_hidden_state->data);
  for (std::size_t l = 0; l < without.attentions.size(); ++l) {
    CHECK(with_padding.attentions[l].data == without.attentions[l].data);
  }
  movie.check_labels(movie.model.classify({&movie.input, 1})[0].labels);
}

TEST_CASE("the review: all attentions, and the article's heat map") {
  if (!demo_models()) SKIP(kSkipped);
  const Article review("review");
  const Encoding encoding = review.model.tokenizer().encode(review.input);
  CHECK(encoding.ids == review.json["input_ids"].get<std::vector<std::int32_t>>());
  const ForwardResult result = review.forward(encoding);
  REQUIRE(result.attentions.size() == 6);
  CHECK(result.attentions[0].shape == std::vector<std::size_t>{12, 71, 71});
  review.check_forward(result);
  review.check_labels(review.model.classify({&review.input, 1})[0].labels);

  const AttentionResult row = review.model.attention({&review.input, 1}, {.layers = {-2}})[0];
  CHECK(row.axes == std::vector<std::string>{"head", "key"});
  check_close("cls_row", row.weights, review.tensors.at("cls_row"), kTolerance);
  const AttentionResult map =
      review.model.attention({&review.input, 1}, {.layers = {-2}, .scale = AttentionScale::minmax_heads})[0];
  check_close("heat_map", map.weights, review.tensors.at("heat_map"), kTolerance);
  review.check_labels(map.labels);
}

TEST_CASE("the patient sentence through the entity model") {
  if (!demo_models()) SKIP(kSkipped);
  const Article patient("patient");
  const Encoding encoding = patient.model.tokenizer().encode(patient.input);
  CHECK(encoding.tokens == patient.json["tokens"].get<std::vector<std::string>>());
  patient.check_forward(patient.forward(encoding));
}

}  // namespace
}  // namespace headlight::test
