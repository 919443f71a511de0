#include "attention/reduce.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace headlight::attention {
namespace {

// into = into + x, or the greater of both, element by element.
void fold(std::span<float> into, std::span<const float> x, Reduction reduction) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    into[i] = reduction == Reduction::mean ? into[i] + x[i] : std::max(into[i], x[i]);
  }
}

void divide(std::span<float> values, float by) {
  for (float& value : values) value /= by;
}

}  // namespace

Tensor merge(const Tensor& layer, std::span<const Group> queries, std::span<const Group> keys) {
  assert(layer.shape.size() == 3);
  const std::size_t heads = layer.shape[0], rows = layer.shape[1], n = layer.shape[2];
  Tensor merged{{}, {heads, queries.size(), keys.size()}};
  merged.data.reserve(heads * queries.size() * keys.size());
  for (std::size_t head = 0; head < heads; ++head) {
    for (const Group& query : queries) {
      for (const Group& key : keys) {
        float sum = 0;
        for (std::size_t row = query.first; row < query.first + query.count; ++row) {
          const float* weights = &layer.data[(head * rows + row) * n + key.first];
          sum = std::accumulate(weights, weights + key.count, sum);
        }
        merged.data.push_back(sum / static_cast<float>(query.count));
      }
    }
  }
  return merged;
}

Tensor spread_heads(const Tensor& layer, std::span<const std::size_t> wanted,
                    std::span<const std::size_t> pruned) {
  const std::size_t size = layer.shape[1] * layer.shape[2];
  Tensor spread{std::vector<float>(wanted.size() * size), {wanted.size(), layer.shape[1], layer.shape[2]}};
  const float* from = layer.data.data();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (std::binary_search(pruned.begin(), pruned.end(), wanted[i])) continue;
    std::copy_n(from, size, spread.data.data() + i * size);
    from += size;
  }
  return spread;
}

Tensor reduce_layers(std::span<const Tensor> layers, Reduction reduction) {
  assert(!layers.empty());
  Tensor reduced = layers.front();
  for (const Tensor& layer : layers.subspan(1)) fold(reduced.data, layer.data, reduction);
  if (reduction == Reduction::mean) divide(reduced.data, static_cast<float>(layers.size()));
  return reduced;
}

Tensor reduce_heads(const Tensor& layer, Reduction reduction) {
  const std::size_t heads = layer.shape[0], size = layer.shape[1] * layer.shape[2];
  if (heads == 0) return {std::vector<float>(size), {1, layer.shape[1], layer.shape[2]}};
  const std::span<const float> data = layer.data;
  Tensor reduced{{data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size)},
                 {1, layer.shape[1], layer.shape[2]}};
  for (std::size_t head = 1; head < heads; ++head)
    fold(reduced.data, data.subspan(head * size, size), reduction);
  if (reduction == Reduction::mean) divide(reduced.data, static_cast<float>(heads));
  return reduced;
}

void scale_minmax_heads(Tensor& layer) {
  constexpr float kConstant = 10 * std::numeric_limits<float>::epsilon();
  const std::size_t size = layer.shape[1] * layer.shape[2];
  for (std::size_t i = 0; i < size; ++i) {
    float low = layer.data[i], high = low;
    for (std::size_t at = i; at < layer.data.size(); at += size) {
      low = std::min(low, layer.data[at]);
      high = std::max(high, layer.data[at]);
    }
    const float range = high - low < kConstant ? 1 : high - low;
    for (std::size_t at = i; at < layer.data.size(); at += size)
      layer.data[at] = (layer.data[at] - low) / range;
  }
}

void scale_rows_to_sum(Tensor& layer) {
  const std::size_t keys = layer.shape[2];
  for (std::size_t at = 0; at < layer.data.size(); at += keys) {
    const std::span<float> row(&layer.data[at], keys);
    const float sum = std::accumulate(row.begin(), row.end(), 0.0f);
    if (sum != 0) divide(row, sum);
  }
}

}  // namespace headlight::attention
