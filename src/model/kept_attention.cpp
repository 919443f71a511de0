#include "model/kept_attention.h"

#include <algorithm>

#include "model/forward.h"

namespace headlight {

Tensor make_tensor(std::vector<std::size_t> shape) {
  std::size_t size = 1;
  for (const std::size_t dimension : shape) size *= dimension;
  return {.data = std::vector<float>(size), .shape = std::move(shape)};
}

KeptAttention::KeptAttention(const EncoderModel& model, const ForwardOptions& options)
    : options_(options), layers_(model.layers.size()) {
  const auto layers = resolve_indices(options.layers, model.layers.size(), "layer");
  const auto heads = resolve_indices(options.heads, model.info.num_attention_heads, "head");
  if (!options.attentions && !options.compact_attentions && !options.queries_keys_values) return;
  for (std::size_t slot = 0; slot < layers.size(); ++slot) {
    const std::vector<std::size_t> there = model.heads_of(layers[slot]);
    Kept kept{.slot = slot, .heads = std::vector<std::optional<std::size_t>>(there.size()), .head_count = 0};
    for (const std::size_t head : heads) {
      const auto place = std::lower_bound(there.begin(), there.end(), head);
      if (place == there.end() || *place != head) continue;  // pruned
      kept.heads[static_cast<std::size_t>(place - there.begin())] = kept.head_count++;
    }
    layers_[layers[slot]] = std::move(kept);
  }
}

void KeptAttention::allocate(const EncoderModel& model, const SequenceShape& shape,
                             ForwardResult& result) const {
  const std::size_t n = shape.count;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    if (!layers_[l]) continue;
    const Kept& kept = *layers_[l];
    const SelfAttention& attention = model.layers[l]->attention();
    const auto place = [&](auto& list) -> auto& {
      if (list.size() <= kept.slot) list.resize(kept.slot + 1);
      return list[kept.slot];
    };
    if (options_.attentions) place(result.attentions) = make_tensor({kept.head_count, rows(n), n});
    if (options_.compact_attentions) {
      CompactAttention& compact = place(result.compact_attentions);
      std::vector<KeyRange> keys;
      std::size_t weights = 0;
      for (std::size_t query = 0; query < n; ++query) {
        compact.first_range.push_back(compact.ranges.size());
        compact.first_weight.push_back(weights);
        keys.clear();
        attention.visible(shape, query, keys);
        for (const KeyRange& range : keys) {
          compact.ranges.push_back(
              {static_cast<std::uint32_t>(range.begin), static_cast<std::uint32_t>(range.end)});
          weights += range.end - range.begin;
        }
      }
      compact.first_range.push_back(compact.ranges.size());
      compact.first_weight.push_back(weights);
      compact.weights = make_tensor({kept.head_count, weights});
    }
    if (options_.queries_keys_values) {
      for (auto* tensors : {&result.queries, &result.keys, &result.values}) {
        place(*tensors) = make_tensor({kept.head_count, n, attention.head_size()});
      }
    }
  }
}

std::optional<KeptProbabilities> KeptAttention::probabilities(std::size_t layer, std::size_t head,
                                                              std::size_t n, ForwardResult& result) const {
  if (!layers_[layer] || !layers_[layer]->heads[head]) return std::nullopt;
  if (!options_.attentions && !options_.compact_attentions) return std::nullopt;
  const std::size_t slot = layers_[layer]->slot;
  const std::size_t index = *layers_[layer]->heads[head];
  KeptProbabilities kept{.queries = options_.attention_queries};
  if (options_.attentions) kept.dense = {result.attentions[slot].data.data() + index * rows(n) * n, n};
  if (options_.compact_attentions) {
    CompactAttention& compact = result.compact_attentions[slot];
    kept.compact = {compact.first_weight, compact.weights.data.data() + index * compact.first_weight.back()};
  }
  return kept;
}

void KeptAttention::keep_projections(std::size_t layer, std::size_t head_size, const Rows& queries,
                                     const Rows& keys, const Rows& values, ForwardResult& result) const {
  const Kept& kept = *layers_[layer];
  const auto keep = [&](const Rows& from, Tensor& to) {
    for (std::size_t head = 0; head < kept.heads.size(); ++head) {
      if (!kept.heads[head]) continue;
      float* out = to.data.data() + *kept.heads[head] * from.count * head_size;
      for (std::size_t i = 0; i < from.count; ++i) {
        out = std::copy_n(from.row(i) + head * head_size, head_size, out);
      }
    }
  };
  keep(queries, result.queries[kept.slot]);
  keep(keys, result.keys[kept.slot]);
  keep(values, result.values[kept.slot]);
}

Tensor CompactAttention::expand(std::size_t head) const {
  const std::size_t n = first_range.size() - 1;
  Tensor full = make_tensor({n, n});
  const float* from = weights.data.data() + head * first_weight.back();
  for (std::size_t query = 0; query < n; ++query) {
    for (std::size_t r = first_range[query]; r < first_range[query + 1]; ++r) {
      const std::size_t count = ranges[r].end - ranges[r].start;
      std::copy_n(from, count, full.data.data() + query * n + ranges[r].start);
      from += count;
    }
  }
  return full;
}

}  // namespace headlight
