// Pure functions from attention to what is shown of it. All take and give layers as [heads, queries, keys]: a
// row is one query's weights over the keys.
#pragma once

#include <cstddef>
#include <span>

#include "headlight.h"

namespace headlight::attention {

// Tokens first … first + count - 1 that make one entry of an axis: a token, or the pieces of a word.
struct Group {
  std::size_t first = 0;
  std::size_t count = 1;
};

// layer: [heads, rows, n] -> [heads, queries, keys]. Groups of queries index its rows, groups of keys its
// columns; what is in no group is dropped. Attention to a word is the sum over its pieces, attention from a
// word the mean over them, so that whole rows still sum to 1 (Clark et al. 2019, "What Does BERT Look At?",
// section 4.1).
Tensor merge(const Tensor& layer, std::span<const Group> queries, std::span<const Group> keys);

// Makes room among a layer's heads for those that were pruned: [wanted ones that are there, queries, keys] -> [wanted,
// queries, keys], with weights of 0 for the `pruned` ones, ascending numbers.
Tensor spread_heads(const Tensor& layer, std::span<const std::size_t> wanted,
                    std::span<const std::size_t> pruned);

enum class Reduction { mean, max };

// At least one layer, all of one shape; gives one layer of that shape.
Tensor reduce_layers(std::span<const Tensor> layers, Reduction reduction);

// [heads, queries, keys] -> [1, queries, keys]; 0 of no head.
Tensor reduce_heads(const Tensor& layer, Reduction reduction);

// Each query's and key's weights over the heads to (x - min) / (max - min), in place, as scikit-learn's
// MinMaxScaler does with a matrix of heads × keys. As there, weights that differ by less than 10 epsilon
// count as constant: they are only shifted, to 0.
void scale_minmax_heads(Tensor& layer);

// Each row divided by its sum, in place; a row that sums to 0 stays as it is.
void scale_rows_to_sum(Tensor& layer);

}  // namespace headlight::attention
