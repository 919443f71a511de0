#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "headlight.h"
#include "support/closeness.h"
#include "support/files.h"
#include "support/own_model.h"
#include "support/random_bert.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

using Axes = std::vector<std::string>;
using Shape = std::vector<std::size_t>;

constexpr std::size_t kLayers = 3, kHeads = 2;
// [CLS] c ##a ##b h ##i 7 [SEP] z ##z [SEP]; the spaces are of UTF-16 and UTF-8 lengths that differ.
const Input kInput{"cab\u3000hi 7", "zz"};
constexpr std::size_t kTokens = 11;

Model random_model(const RandomBert& shape = {.num_hidden_layers = kLayers, .num_attention_heads = kHeads}) {
  return random_model_of(shape);
}

AttentionResult attention(const Model& model, const AttentionOptions& options, const Input& input = kInput) {
  return model.attention({&input, 1}, options).at(0);
}

// Raw attention: at(layer, head, query, key).
struct Raw {
  Raw(const Model& model, const Input& input = kInput) {
    const Encoding encoding = model.tokenizer().encode(input);
    n = encoding.size();
    layers = model.forward({&encoding, 1}, {.attentions = true})[0].attentions;
  }
  float at(std::size_t layer, std::size_t head, std::size_t query, std::size_t key) const {
    return layers[layer].data[(head * n + query) * n + key];
  }
  std::vector<Tensor> layers;
  std::size_t n;
};

std::vector<std::string> texts(const std::vector<AttendedToken>& items) {
  std::vector<std::string> result;
  for (const AttendedToken& item : items) result.push_back(item.text);
  return result;
}

TEST_CASE("attention names tokens and words") {
  const AttentionResult result = attention(random_model(), {});
  CHECK(texts(result.tokens) ==
        std::vector<std::string>{"[CLS]", "c", "##a", "##b", "h", "##i", "7", "[SEP]", "z", "##z", "[SEP]"});
  CHECK(texts(result.words) == std::vector<std::string>{"[CLS]", "cab", "hi", "7", "[SEP]", "zz", "[SEP]"});
  CHECK(result.words[1].offsets == Span{0, 3});
  CHECK(result.words[2].offsets == Span{4, 6});
  CHECK(result.words[5].offsets == Span{0, 2});
  CHECK(result.words[5].sequence_id == 1);
  CHECK(result.words[0].sequence_id == -1);
  CHECK(result.words[0].id == 2);
  CHECK(result.words[1].id == -1);
  CHECK(result.tokens[3].word_id == 0);
  CHECK(result.tokens[4].word_id == 1);
  CHECK(result.keys == Shape{1, 2, 3, 4, 5, 6, 8, 9});
  CHECK(result.truncated.empty());
}

TEST_CASE("a word's text is cut from the input, whatever its code points' lengths") {
  const Input input{"\u00C4b\U0001F600 h\xFFi", std::nullopt};
  const AttentionResult result = attention(random_model(), {}, input);
  for (const AttendedToken& word : result.words) {
    if (word.sequence_id == 0)
      CHECK(std::string("\u00C4b\U0001F600 h\uFFFDi").find(word.text) != std::string::npos);
  }
  CHECK(result.words[1].text.starts_with("\u00C4b"));
}

TEST_CASE("by default: what [CLS] looks at, in every layer and head, special tokens aside") {
  const Model model = random_model();
  const AttentionResult result = attention(model, {});
  CHECK(result.axes == Axes{"layer", "head", "key"});
  REQUIRE(result.weights.shape == Shape{kLayers, kHeads, 8});
  const Raw raw(model);
  std::size_t i = 0, different = 0;
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    for (std::size_t head = 0; head < kHeads; ++head) {
      for (const std::size_t key : result.keys)
        different += result.weights.data[i++] != raw.at(layer, head, 0, key);
    }
  }
  CHECK(different == 0);
}

TEST_CASE("a query by its index") {
  const Model model = random_model();
  const Raw raw(model);
  for (std::size_t query = 0; query < kTokens; ++query) {
    const AttentionResult result = attention(model, {.query = AttentionQuery::index,
                                                     .query_index = query,
                                                     .layers = {1},
                                                     .heads = {-1},
                                                     .special_tokens = true});
    CHECK(result.axes == Axes{"key"});
    REQUIRE(result.weights.shape == Shape{kTokens});
    for (std::size_t key = 0; key < kTokens; ++key)
      CHECK(result.weights.data[key] == raw.at(1, kHeads - 1, query, key));
  }
}

TEST_CASE("all queries, special tokens kept: rows sum to 1") {
  const Model model = random_model();
  const AttentionResult result = attention(model, {.query = AttentionQuery::all, .special_tokens = true});
  CHECK(result.axes == Axes{"layer", "head", "query", "key"});
  REQUIRE(result.weights.shape == Shape{kLayers, kHeads, kTokens, kTokens});
  CHECK(result.keys.size() == kTokens);
  Tensor joined{{}, result.weights.shape};
  for (const Tensor& layer : Raw(model).layers)
    joined.data.insert(joined.data.end(), layer.data.begin(), layer.data.end());
  CHECK(result.weights.data == joined.data);
  for (auto row = joined.data.begin(); row != joined.data.end(); row += kTokens) {
    CHECK(std::abs(std::accumulate(row, row + kTokens, 0.0) - 1) <= 1e-5);
  }
}

TEST_CASE("words: a sum over a word's pieces as keys, a mean over them as queries") {
  const Model model = random_model();
  const Raw raw(model);
  const std::vector<Shape> pieces{{0}, {1, 2, 3}, {4, 5}, {6}, {7}, {8, 9}, {10}};
  const auto word_to_word = [&](std::size_t layer, std::size_t head, std::size_t query, std::size_t key) {
    double sum = 0;
    for (const std::size_t q : pieces[query]) {
      for (const std::size_t k : pieces[key]) sum += raw.at(layer, head, q, k);
    }
    return sum / static_cast<double>(pieces[query].size());
  };

  const AttentionResult all =
      attention(model, {.query = AttentionQuery::all, .special_tokens = true, .words = true});
  REQUIRE(all.weights.shape == Shape{kLayers, kHeads, 7, 7});
  for (std::size_t i = 0; i < all.weights.data.size(); ++i) {
    const double expected = word_to_word(i / 7 / 7 / kHeads, i / 7 / 7 % kHeads, i / 7 % 7, i % 7);
    CHECK(std::abs(all.weights.data[i] - expected) <= 1e-6);
  }
  const AttentionResult one =
      attention(model, {.query = AttentionQuery::index, .query_index = 1, .layers = {2}, .words = true});
  CHECK(one.axes == Axes{"head", "key"});
  CHECK(one.keys == Shape{1, 2, 3, 5});
  for (std::size_t i = 0; i < one.weights.data.size(); ++i) {
    CHECK(std::abs(one.weights.data[i] - word_to_word(2, i / 4, 1, one.keys[i % 4])) <= 1e-6);
  }
}

TEST_CASE("layers and heads are reduced by mean and maximum, layers first") {
  const Model model = random_model();
  const Raw raw(model);
  for (const bool maximum : {false, true}) {
    const AttentionResult result =
        attention(model, {.reduce_heads = maximum ? HeadReduction::mean : HeadReduction::max,
                          .reduce_layers = maximum ? LayerReduction::max : LayerReduction::mean});
    CHECK(result.axes == Axes{"key"});
    REQUIRE(result.weights.data.size() == result.keys.size());
    for (std::size_t i = 0; i < result.keys.size(); ++i) {
      double by_head[kHeads];
      for (std::size_t head = 0; head < kHeads; ++head) {
        double mean = 0, max = 0;
        for (std::size_t layer = 0; layer < kLayers; ++layer) {
          mean += raw.at(layer, head, 0, result.keys[i]) / static_cast<double>(kLayers);
          max = std::max<double>(max, raw.at(layer, head, 0, result.keys[i]));
        }
        by_head[head] = maximum ? max : mean;
      }
      const double expected = maximum ? (by_head[0] + by_head[1]) / 2 : std::max(by_head[0], by_head[1]);
      CHECK(std::abs(result.weights.data[i] - expected) <= 1e-6);
    }
  }
  CHECK(attention(model, {.reduce_layers = LayerReduction::mean}).axes == Axes{"head", "key"});
  CHECK(attention(model, {.reduce_heads = HeadReduction::mean}).axes == Axes{"layer", "key"});
}

TEST_CASE("scales: each key over the heads to 0..1, or each row to sum 1") {
  const Model model = random_model();
  const Raw raw(model);
  const AttentionResult minmax = attention(model, {.layers = {-2}, .scale = AttentionScale::minmax_heads});
  CHECK(minmax.axes == Axes{"head", "key"});
  for (std::size_t i = 0; i < minmax.keys.size(); ++i) {
    const bool first_greater = raw.at(1, 0, 0, minmax.keys[i]) > raw.at(1, 1, 0, minmax.keys[i]);
    CHECK(minmax.weights.data[i] == (first_greater ? 1 : 0));
    CHECK(minmax.weights.data[minmax.keys.size() + i] == (first_greater ? 0 : 1));
  }
  const AttentionResult sum = attention(model, {.query = AttentionQuery::all, .scale = AttentionScale::sum});
  const auto keys = static_cast<std::ptrdiff_t>(sum.keys.size());
  for (auto row = sum.weights.data.begin(); row != sum.weights.data.end(); row += keys) {
    CHECK(std::abs(std::accumulate(row, row + keys, 0.0) - 1) <= 1e-6);
  }
}

TEST_CASE("the share of attention that special tokens got is told") {
  const Model model = random_model();
  const Raw raw(model);
  const AttentionResult result = attention(model, {});
  REQUIRE(result.special_share.size() == 3);
  const Shape specials{0, 7, 10};
  for (std::size_t i = 0; i < 3; ++i) {
    double share = 0;
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
      for (std::size_t head = 0; head < kHeads; ++head)
        share += raw.at(layer, head, 0, specials[i]) / (kLayers * kHeads);
    }
    CHECK(result.special_share[i].first == specials[i]);
    CHECK(std::abs(result.special_share[i].second - share) <= 1e-6);
  }
  // Whatever is reduced or scaled, words and special tokens share the whole.
  const AttentionResult mean = attention(model, {.query = AttentionQuery::all,
                                                 .reduce_heads = HeadReduction::mean,
                                                 .reduce_layers = LayerReduction::mean});
  double whole = std::accumulate(mean.weights.data.begin(), mean.weights.data.end(), 0.0) / 8;
  for (const auto& [token, share] : mean.special_share) whole += share;
  CHECK(std::abs(whole - 1) <= 1e-5);
}

TEST_CASE("labels come with the attention of a classifier, and are those of classify") {
  const Model model = random_model();
  const auto labels = attention(model, {.query = AttentionQuery::all}).labels;
  const auto expected = model.classify({&kInput, 1})[0].labels;
  REQUIRE(labels.size() == expected.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    CHECK(labels[i].label == expected[i].label);
    CHECK(labels[i].score == expected[i].score);
  }
  CHECK(attention(random_model({.architecture = "BertModel"}), {}).labels.empty());
}

TEST_CASE("empty text has special tokens only") {
  const Model model = random_model();
  const AttentionResult result = attention(model, {.query = AttentionQuery::all}, {"", std::nullopt});
  CHECK(result.tokens.size() == 2);
  CHECK(result.words.size() == 2);
  CHECK(result.keys.empty());
  CHECK(result.weights.shape == Shape{kLayers, kHeads, 0, 0});
  const AttentionResult cls = attention(model, {.scale = AttentionScale::minmax_heads}, {"", std::nullopt});
  CHECK(cls.weights.shape == Shape{kLayers, kHeads, 0});
  CHECK(std::abs(cls.special_share[0].second + cls.special_share[1].second - 1) <= 1e-5);
}

TEST_CASE("what is too long is cut as for classify") {
  const Model model = random_model({.max_position_embeddings = 8});
  const AttentionResult result = attention(model, {}, {"a b c d e f g", std::nullopt});
  CHECK(result.tokens.size() == 8);
  REQUIRE(result.truncated.size() == 1);
  CHECK(result.truncated[0].start == 11);
  CHECK(error_of([&] {
          attention(model, {.text = {.overlong = Overlong::error}}, {"a b c d e f g", std::nullopt});
        }).code() == ErrorCode::E_TOO_LONG);
}

TEST_CASE("many inputs come back in order, with the numbers they have alone") {
  const Model model = random_model();
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < 40; ++i)
    inputs.push_back({std::string(1 + i * i % 97, 'a') + " b", std::nullopt});
  for (const AttentionOptions& options :
       {AttentionOptions{}, AttentionOptions{.query = AttentionQuery::index, .query_index = 1, .words = true},
        AttentionOptions{.query = AttentionQuery::all, .reduce_heads = HeadReduction::max}}) {
    const auto together = model.attention(inputs, options);
    REQUIRE(together.size() == inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const AttentionResult alone = attention(model, options, inputs[i]);
      CHECK(together[i].weights.shape == alone.weights.shape);
      CHECK(together[i].weights.data == alone.weights.data);
      CHECK(together[i].special_share == alone.special_share);
    }
  }
  CHECK(model.attention({}).empty());
}

TEST_CASE("arguments out of range are refused") {
  const Model model = random_model();
  const auto code = [&](const AttentionOptions& options) {
    return error_of([&] { attention(model, options); }).code();
  };
  CHECK(code({.query = AttentionQuery::index, .query_index = kTokens}) == ErrorCode::E_INVALID_ARGUMENT);
  CHECK(code({.query = AttentionQuery::index, .query_index = 7, .words = true}) ==
        ErrorCode::E_INVALID_ARGUMENT);
  CHECK(code({.layers = {3}}) == ErrorCode::E_INVALID_ARGUMENT);
  CHECK(code({.heads = {-3}}) == ErrorCode::E_INVALID_ARGUMENT);
  CHECK(code({.reduce_heads = HeadReduction::mean, .scale = AttentionScale::minmax_heads}) ==
        ErrorCode::E_INVALID_ARGUMENT);
  CHECK(attention(model, {}).axes.size() == 3);
}

}  // namespace
}  // namespace headlight::test
