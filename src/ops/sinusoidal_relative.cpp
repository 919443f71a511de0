#include "ops/sinusoidal_relative.h"

#include <algorithm>
#include <vector>

#include "ops/angle.h"

namespace headlight {

SinusoidalRelative::SinusoidalRelative(std::size_t head_size, std::size_t reach)
    : head_size_(head_size), reach_(reach) {
  std::vector<float> table(distances() * head_size);
  std::vector<float> transposed(table.size());
  for (std::size_t row = 0; row < distances(); ++row) {
    for (std::size_t feature = 0; feature < head_size; ++feature) {
      const double frequency =
          power(10000, -static_cast<double>(feature / 2 * 2) / static_cast<double>(head_size));
      const auto [cos, sin] = cos_sin(static_cast<double>(row) * frequency);
      const auto value = static_cast<float>(feature % 2 == 0 ? sin : cos);
      table[row * head_size + feature] = value;
      transposed[feature * distances() + row] = value;
    }
  }
  by_feature_ = Buffer(panels_size(distances(), head_size));
  pack_panels({table.data(), head_size, distances()}, head_size, by_feature_.data());
  by_distance_ = Buffer(panels_size(head_size, distances()));
  pack_panels({transposed.data(), distances(), head_size}, distances(), by_distance_.data());
}

std::size_t SinusoidalRelative::distance(std::size_t query, std::size_t key) const {
  return std::min(std::max(key + reach_, query) - query, 2 * reach_);
}

void SinusoidalRelative::add_to_scores(const kernels::Table& kernels, const ScoreBlock& block, const Buffer&,
                                       Buffer& scratch) const {
  scratch.reserve(block.queries.count * distances());
  kernels.gemm_f32({.a = block.queries.data,
                    .a_stride = block.queries.stride,
                    .rows = block.queries.count,
                    .panels = by_feature_.data(),
                    .k = head_size_,
                    .columns = distances(),
                    .out = scratch.data(),
                    .out_stride = distances()});
  for (std::size_t i = 0; i < block.queries.count; ++i) {
    const float* products = scratch.data() + i * distances();
    float* row = block.scores.row(i);
    for (std::size_t j = 0; j < block.keys.count; ++j) row[j] += products[distance(block.first_query + i, j)];
  }
}

void SinusoidalRelative::add_to_context(const kernels::Table& kernels, Rows probabilities,
                                        std::size_t first_query, std::size_t n, MutableRows context,
                                        Buffer& scratch) const {
  scratch.reserve(probabilities.count * distances());
  std::fill_n(scratch.data(), probabilities.count * distances(), 0.0f);
  for (std::size_t i = 0; i < probabilities.count; ++i) {
    float* sums = scratch.data() + i * distances();
    const float* row = probabilities.row(i);
    for (std::size_t j = 0; j < n; ++j) sums[distance(first_query + i, j)] += row[j];
  }
  kernels.gemm_f32({.a = scratch.data(),
                    .a_stride = distances(),
                    .rows = probabilities.count,
                    .panels = by_distance_.data(),
                    .k = distances(),
                    .columns = head_size_,
                    .out = context.data,
                    .out_stride = context.stride,
                    .residual = context.data,
                    .residual_stride = context.stride});
}

// Scores and context meet the same R, each the other's transpose.
void SinusoidalRelative::scores_backward(const kernels::Table& kernels, const ScoreBlock& block,
                                         MutableRows queries, MutableRows, Buffer&, Buffer& scratch) const {
  add_to_context(kernels, block.scores.first(block.queries.count), block.first_query, block.keys.count,
                 queries, scratch);
}

void SinusoidalRelative::context_backward(const kernels::Table& kernels, Rows context,
                                          std::size_t first_query, std::size_t n, MutableRows probabilities,
                                          Buffer& scratch) const {
  add_to_scores(kernels,
                {.queries = context,
                 .first_query = first_query,
                 .keys = {nullptr, 0, n},
                 .head = 0,
                 .scores = probabilities},
                {}, scratch);
}

std::uint64_t SinusoidalRelative::work(std::size_t n) const { return 2 * (distances() * head_size_ + n); }

}  // namespace headlight
