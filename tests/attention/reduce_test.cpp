#include "attention/reduce.h"

#include <catch2/catch_test_macros.hpp>

#include "support/closeness.h"

namespace headlight::attention {
namespace {

using test::check_close;

// [2 heads, 3 queries, 3 keys]; rows sum to 1.
Tensor example() {
  return {{0.5f, 0.25f, 0.25f, 0.0f, 1.0f, 0.0f, 0.125f, 0.375f, 0.5f, 0.1f, 0.2f, 0.7f, 0.3f, 0.3f, 0.4f,
           1.0f, 0.0f, 0.0f},
          {2, 3, 3}};
}

TEST_CASE("merge of single tokens chooses rows and columns") {
  const Group queries[] = {{2, 1}, {0, 1}}, keys[] = {{1, 1}};
  check_close("merged", merge(example(), queries, keys), {{0.375f, 0.25f, 0.0f, 0.2f}, {2, 2, 1}}, 0);
}

TEST_CASE("merge of words sums over keys, takes the mean over queries, and keeps row sums") {
  const Group words[] = {{0, 1}, {1, 2}};
  check_close("merged", merge(example(), words, words),
              {{0.5f, 0.5f, 0.0625f, 0.9375f, 0.1f, 0.9f, 0.65f, 0.35f}, {2, 2, 2}}, 1e-7);
}

TEST_CASE("merge without keys or queries is empty") {
  const Group some[] = {{0, 1}};
  CHECK(merge(example(), some, {}).shape == std::vector<std::size_t>{2, 1, 0});
  CHECK(merge(example(), {}, some).shape == std::vector<std::size_t>{2, 0, 1});
}

TEST_CASE("layers are reduced element by element") {
  const Tensor layers[] = {{{1, 5}, {1, 1, 2}}, {{3, 1}, {1, 1, 2}}, {{5, 0}, {1, 1, 2}}};
  check_close("mean", reduce_layers(layers, Reduction::mean), {{3, 2}, {1, 1, 2}}, 0);
  check_close("max", reduce_layers(layers, Reduction::max), {{5, 5}, {1, 1, 2}}, 0);
}

TEST_CASE("heads are reduced to one") {
  const Tensor layer{{1, 5, 3, 1}, {2, 1, 2}};
  check_close("mean", reduce_heads(layer, Reduction::mean), {{2, 3}, {1, 1, 2}}, 0);
  check_close("max", reduce_heads(layer, Reduction::max), {{3, 5}, {1, 1, 2}}, 0);
}

// Expected: sklearn.preprocessing.MinMaxScaler().fit_transform on the float32 matrix of heads × keys
// (scikit-learn 1.9.1). The third column is constant, the fourth within 10 epsilon of it.
TEST_CASE("minmax over the heads is scikit-learn's") {
  Tensor layer{{0.1f, 0.9f, 0.25f, 0.5f, 0.3f, 0.6f, 0.25f, 0.5000005f, 0.2f, 0.0f, 0.25f, 0.5f}, {3, 1, 4}};
  scale_minmax_heads(layer);
  check_close("scaled", layer, {{0, 1, 0, 0, 1, 2.0f / 3, 0, 4.7683716e-7f, 0.5f, 0, 0, 0}, {3, 1, 4}}, 1e-6);
  CHECK(layer.data[7] < 1e-6f);
}

TEST_CASE("one head alone is constant") {
  Tensor layer{{0.1f, 0.9f}, {1, 1, 2}};
  scale_minmax_heads(layer);
  CHECK(layer.data == std::vector<float>{0, 0});
}

TEST_CASE("rows are divided by their sums, a row of zeros is left") {
  Tensor layer{{1, 3, 0, 0, 2, 2}, {1, 3, 2}};
  scale_rows_to_sum(layer);
  CHECK(layer.data == std::vector<float>{0.25f, 0.75f, 0, 0, 0.5f, 0.5f});
}

TEST_CASE("scaling of nothing is nothing") {
  Tensor layer{{}, {2, 1, 0}};
  scale_minmax_heads(layer);
  scale_rows_to_sum(layer);
  CHECK(layer.data.empty());
  CHECK(reduce_heads(layer, Reduction::mean).shape == std::vector<std::size_t>{1, 1, 0});
}

}  // namespace
}  // namespace headlight::attention
