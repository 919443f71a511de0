// Models whose heads are really gone, beside the whole ones whose heads are off.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "headlight.h"
#include "support/closeness.h"
#include "support/files.h"
#include "support/random_bert.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

using Heads = std::vector<std::vector<std::size_t>>;
using Mask = std::vector<std::vector<float>>;

constexpr std::size_t kHeads = 4, kTokens = 9;
const Heads kPruned{{1}, {}, {0, 2, 3}};
const Mask kOff{{1, 0, 1, 1}, {1, 1, 1, 1}, {0, 1, 0, 0}};

RandomBert shape_of(const std::string& positions = "absolute") {
  return {.hidden_size = 20,
          .num_hidden_layers = 3,
          .num_attention_heads = kHeads,
          .position_embedding_type = positions};
}

// The rows (or columns) of the heads that a layer keeps.
Tensor cut(const Tensor& tensor, const std::vector<std::size_t>& pruned, std::size_t head_size,
           bool columns) {
  const std::size_t width = tensor.shape.size() == 2 ? tensor.shape[1] : 1;
  Tensor left{{}, tensor.shape};
  left.shape[columns ? 1 : 0] -= pruned.size() * head_size;
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    const std::size_t head = (columns ? i % width : i / width) / head_size;
    if (std::find(pruned.begin(), pruned.end(), head) == pruned.end()) left.data.push_back(tensor.data[i]);
  }
  return left;
}

// A RandomBert as transformers' prune_heads leaves it.
void write_pruned(const std::filesystem::path& folder, const RandomBert& shape, const Heads& pruned) {
  nlohmann::json config = config_of(shape);
  Tensors tensors = tensors_of(shape);
  for (std::size_t l = 0; l < pruned.size(); ++l) {
    if (pruned[l].empty()) continue;
    config["pruned_heads"][std::to_string(l)] = pruned[l];
    const std::string attention = shape.prefix + "encoder.layer." + std::to_string(l) + ".attention.";
    const std::size_t head_size = shape.hidden_size / shape.num_attention_heads;
    for (const char* projection : {"self.query", "self.key", "self.value"}) {
      for (const char* part : {".weight", ".bias"}) {
        Tensor& tensor = tensors.at(attention + projection + part);
        tensor = cut(tensor, pruned[l], head_size, false);
      }
    }
    Tensor& output = tensors.at(attention + "output.dense.weight");
    output = cut(output, pruned[l], head_size, true);
  }
  write_small_files(folder, config);
  write_tensors(folder / "model.safetensors", tensors);
}

struct Pair {
  explicit Pair(const RandomBert& shape) : encoding(random_encoding(shape, kTokens)) {
    const TemporaryFolder whole_folder, pruned_folder;
    write_bert(whole_folder.path(), shape);
    write_pruned(pruned_folder.path(), shape, kPruned);
    whole.emplace(Model::load(whole_folder.path()));
    pruned.emplace(Model::load(pruned_folder.path()));
  }
  ForwardResult off(ForwardOptions options = {}) const {
    options.head_mask = kOff;
    return whole->forward({&encoding, 1}, options)[0];
  }
  ForwardResult gone(const ForwardOptions& options = {}) const {
    return pruned->forward({&encoding, 1}, options)[0];
  }

  Encoding encoding;
  std::optional<Model> whole, pruned;
};

TEST_CASE("a pruned model computes what the whole one does with these heads off") {
  for (const char* positions : {"absolute", "relative_key", "relative_key_query"}) {
    INFO(positions);
    const Pair models(shape_of(positions));
    CHECK(models.pruned->info().pruned_heads == kPruned);
    CHECK(models.pruned->info().num_attention_heads == kHeads);
    CHECK(models.pruned->info().parameters < models.whole->info().parameters);
    check_close("logits", *models.gone().logits, *models.off().logits, 1e-5);
    check_close("last hidden state", *models.gone({.last_hidden_state = true}).last_hidden_state,
                *models.off({.last_hidden_state = true}).last_hidden_state, 1e-5);
  }
}

TEST_CASE("attentions of a pruned model hold the heads that a layer has, by their numbers") {
  const Pair models(shape_of());
  const ForwardResult all = models.gone({.attentions = true, .queries_keys_values = true});
  const ForwardResult off = models.off({.attentions = true, .queries_keys_values = true});
  REQUIRE(all.attentions.size() == 3);
  CHECK(all.attentions[0].shape == std::vector<std::size_t>{3, kTokens, kTokens});
  CHECK(all.attentions[1].shape == std::vector<std::size_t>{4, kTokens, kTokens});
  CHECK(all.attentions[2].shape == std::vector<std::size_t>{1, kTokens, kTokens});
  CHECK(all.queries[2].shape == std::vector<std::size_t>{1, kTokens, 5});
  const auto head = [](const Tensor& of_layer, std::size_t index) {
    const std::size_t size = kTokens * kTokens;
    const auto begin = of_layer.data.begin() + static_cast<std::ptrdiff_t>(index * size);
    return Tensor{{begin, begin + static_cast<std::ptrdiff_t>(size)}, {kTokens, kTokens}};
  };
  check_close("head 2 of layer 0", head(all.attentions[0], 1), head(off.attentions[0], 2), 1e-5);
  check_close("head 1 of layer 2", head(all.attentions[2], 0), head(off.attentions[2], 1), 1e-5);

  const ForwardResult some = models.gone({.attentions = true, .heads = {3, 1}});
  CHECK(some.attentions[0].shape[0] == 1);
  check_close("head 3", head(some.attentions[0], 0), head(off.attentions[0], 3), 1e-5);
  CHECK(some.attentions[1].shape[0] == 2);
  check_close("heads in the order asked for", head(some.attentions[1], 0), head(off.attentions[1], 3), 1e-5);
  CHECK_THROWS_AS(models.gone({.attentions = true, .heads = {4}}), Error);
}

TEST_CASE(
    "the attention task gives every layer of a pruned model all heads, with weights of 0 for those gone") {
  const Pair models(shape_of());
  const Input input{"cab hi 7"};
  const auto attention = [&](const Model& model, AttentionOptions options, bool off) {
    if (off) options.text.head_mask = kOff;
    options.query = AttentionQuery::all;
    return model.attention({&input, 1}, options).at(0).weights;
  };
  const auto check_same = [&](const char* what, const AttentionOptions& options) {
    check_close(what, attention(*models.pruned, options, false), attention(*models.whole, options, true),
                1e-5);
  };
  check_same("all", {});
  check_same("a pruned head", {.heads = {0}});
  check_same("the mean over layers", {.reduce_layers = LayerReduction::mean});
  check_same("the maximum over heads", {.reduce_heads = HeadReduction::max});

  const Tensor mean = attention(*models.pruned, {.layers = {2}, .reduce_heads = HeadReduction::mean}, false);
  const Tensor left = attention(*models.pruned, {.layers = {2}, .heads = {1}}, false);
  CHECK(mean.data == left.data);
  const Tensor both = attention(
      *models.pruned,
      {.layers = {2}, .reduce_heads = HeadReduction::mean, .reduce_layers = LayerReduction::mean}, false);
  CHECK(both.data == left.data);
  const Tensor none =
      attention(*models.pruned, {.layers = {2}, .heads = {0}, .reduce_heads = HeadReduction::mean}, false);
  CHECK(std::all_of(none.data.begin(), none.data.end(), [](float weight) { return weight == 0; }));
}

TEST_CASE("explanations of a pruned model are those of the whole one with these heads off") {
  const Pair models(shape_of());
  for (const ExplainMethod method :
       {ExplainMethod::gradient_input, ExplainMethod::relevance, ExplainMethod::head_importance}) {
    INFO(static_cast<int>(method));
    const Explanation gone = models.pruned->explain(models.encoding, {.method = method});
    const Explanation off = models.whole->explain(models.encoding, {.method = method, .head_mask = kOff});
    check_close("logits", *gone.logits, *off.logits, 1e-5);
    // Relevance takes the mean over the heads there are, and a gradient reaches heads that are off.
    if (method == ExplainMethod::gradient_input) check_close("scores", gone.scores, off.scores, 1e-4);
    if (method == ExplainMethod::head_importance) {
      CHECK(gone.scores.shape == std::vector<std::size_t>{3, kHeads});
      check_close("importance", gone.scores, off.scores, 1e-4);
    }
  }
}

TEST_CASE("a head mask of a pruned model numbers the heads as before") {
  const Pair models(shape_of());
  Mask mask = kOff;
  mask[1][3] = 0;
  ForwardOptions options{.head_mask = mask};
  const Tensor off = *models.whole->forward({&models.encoding, 1}, options)[0].logits;
  check_close("off", *models.gone(options).logits, off, 1e-5);
  mask[0][1] = 1;  // of a head that is gone
  options.head_mask = mask;
  check_close("not read", *models.gone(options).logits, off, 1e-5);
}

TEST_CASE("a wrong pruned_heads is refused") {
  const RandomBert shape = shape_of();
  const auto code_of = [&](const nlohmann::json& pruned,
                           const char* model_type = "bert") -> std::optional<ErrorCode> {
    const TemporaryFolder folder;
    nlohmann::json config = config_of(shape);
    config["pruned_heads"] = pruned;
    config["model_type"] = model_type;
    write_small_files(folder.path(), config);
    write_tensors(folder.path() / "model.safetensors", tensors_of(shape));
    try {
      Model::load(folder.path());
    } catch (const Error& error) {
      return error.code();
    }
    return std::nullopt;
  };
  using json = nlohmann::json;
  CHECK(code_of(json::array()) == ErrorCode::E_INVALID_CONFIG);
  CHECK(code_of({{"0", 1}}) == ErrorCode::E_INVALID_CONFIG);
  CHECK(code_of({{"0", {4}}}) == ErrorCode::E_INVALID_CONFIG);
  CHECK(code_of({{"0", {1, 1}}}) == ErrorCode::E_INVALID_CONFIG);
  CHECK(code_of({{"0", {-1}}}) == ErrorCode::E_INVALID_CONFIG);
  CHECK(code_of({{"3", {1}}}) == ErrorCode::E_INVALID_CONFIG);
  CHECK(code_of({{"00", {1}}}) == ErrorCode::E_INVALID_CONFIG);
  CHECK(code_of({{"0", {0, 1, 2, 3}}}) == ErrorCode::E_INVALID_CONFIG);
  CHECK(code_of({{"0", {1}}}) == ErrorCode::E_SHAPE_MISMATCH);  // the weights have all heads
  CHECK(code_of({{"0", {1}}}, "nezha") == ErrorCode::E_UNSUPPORTED_OPTION);
  CHECK(code_of(json::object()) == std::nullopt);
  CHECK(code_of({{"0", json::array()}}) == std::nullopt);
}

}  // namespace
}  // namespace headlight::test
