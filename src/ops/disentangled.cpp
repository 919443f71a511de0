#include "ops/disentangled.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

// Distances up to half of the buckets have one each; the others share the rest by their logarithm. In float32, as
// PyTorch computes it.
std::int64_t bucket(std::int64_t distance, std::size_t buckets, std::size_t max_positions) {
  const auto half = static_cast<std::int64_t>(buckets / 2);
  const std::int64_t size = std::abs(distance);
  if (size <= half) return distance;
  const auto middle = static_cast<float>(half);
  const float growth =
      std::log(static_cast<float>(size) / middle) /
      std::log(static_cast<float>(static_cast<double>(max_positions - 1) / static_cast<double>(half)));
  const auto place = static_cast<std::int64_t>(std::ceil(growth * static_cast<float>(half - 1))) + half;
  return distance < 0 ? -place : place;
}

}  // namespace

RelativeEmbeddings::RelativeEmbeddings(WeightMap& map, const std::string& name, const Options& options)
    : options_(options) {
  map.add_matrix(name, 2 * options.span, options.hidden_size, table_, WeightMap::Need::required,
                 MatrixSink::Form::values);
  const auto span = static_cast<std::int64_t>(options.span);
  const auto farthest = static_cast<std::int64_t>(options.longest - 1);
  for (std::int64_t distance = -farthest; distance <= farthest; ++distance) {
    const std::int64_t place =
        options.buckets > 0 ? bucket(distance, options.buckets, options.max_positions) : distance;
    index_.push_back(static_cast<std::uint32_t>(std::clamp(place + span, std::int64_t{0}, 2 * span - 1)));
  }
}

void RelativeEmbeddings::bind_norm(WeightMap& map, const std::string& name, const Norm::Options& options) {
  norm_.bind(map, name, options_.hidden_size, options);
  normalised_ = true;
}

void RelativeEmbeddings::prepare(const kernels::Table& kernels) {
  if (rows_.size() > 0) return;  // another layer's scheme has asked before
  rows_ = Buffer(table_.rows() * table_.columns());
  for (std::size_t i = 0; i < table_.rows(); ++i) table_.copy_row(i, rows_.data() + i * table_.columns());
  if (normalised_) norm_.forward(kernels, rows(), {rows_.data(), options_.hidden_size});
}

void Disentangled::prepare(const kernels::Table& kernels) {
  distances_.prepare(kernels);
  if (key_) key_panels_ = project(kernels, *key_);
  if (query_) query_panels_ = project(kernels, *query_);
}

Buffer Disentangled::project(const kernels::Table& kernels, const Linear& projection) const {
  const std::size_t width = heads_ * head_size_;
  Buffer projected(columns() * width);
  Buffer scratch;
  projection.forward_exact(kernels, distances_.rows(), 0, width, {projected.data(), width}, nullptr, scratch);
  const std::size_t size = panels_size(columns(), head_size_);
  Buffer panels(heads_ * size);
  for (std::size_t head = 0; head < heads_; ++head) {
    pack_panels({projected.data() + head * head_size_, width, columns()}, head_size_,
                panels.data() + head * size);
  }
  return panels;
}

void Disentangled::multiply(const kernels::Table& kernels, Rows rows, const Buffer& panels, std::size_t head,
                            float* out) const {
  kernels.gemm_f32({.a = rows.data,
                    .a_stride = rows.stride,
                    .rows = rows.count,
                    .panels = panels.data() + head * panels_size(columns(), head_size_),
                    .k = head_size_,
                    .columns = columns(),
                    .out = out,
                    .out_stride = columns()});
}

void Disentangled::begin_head(const kernels::Table& kernels, Rows keys, std::size_t head,
                              Buffer& of_head) const {
  if (!query_) return;
  of_head.reserve(keys.count * columns());
  multiply(kernels, keys, query_panels_, head, of_head.data());
}

void Disentangled::add_to_scores(const kernels::Table& kernels, const ScoreBlock& block,
                                 const Buffer& of_head, Buffer& scratch) const {
  const std::size_t n = block.keys.count;
  const std::size_t count = block.queries.count;
  scratch.reserve(count * columns());
  if (key_) multiply(kernels, block.queries, key_panels_, block.head, scratch.data());
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t* row_of_first_key = distances_.index_of_zero() + block.first_query + i;
    float* scores = block.scores.row(i);
    if (key_) {
      const float* content_to_position = scratch.data() + i * columns();
      for (std::size_t j = 0; j < n; ++j) scores[j] += content_to_position[*(row_of_first_key - j)];
    }
    if (query_) {
      const float* position_to_content = of_head.data();
      for (std::size_t j = 0; j < n; ++j, position_to_content += columns()) {
        scores[j] += position_to_content[*(row_of_first_key - j)];
      }
    }
  }
}

void Disentangled::multiply_back(const kernels::Table& kernels, Rows rows, const Buffer& panels,
                                 std::size_t head, MutableRows out) const {
  Buffer panel;
  multiply_transposed(kernels, rows,
                      {.panels = panels.data() + head * panels_size(columns(), head_size_),
                       .outputs = columns(),
                       .inputs = head_size_},
                      0, head_size_, out, panel);
}

void Disentangled::begin_backward(std::size_t n, Buffer& of_head) const {
  if (!query_) return;
  of_head.reserve(n * columns());
  std::fill_n(of_head.data(), n * columns(), 0.0f);
}

// The gradients of scores of the same distance, of a query or of a key, add up.
void Disentangled::scores_backward(const kernels::Table& kernels, const ScoreBlock& block,
                                   MutableRows queries, MutableRows, Buffer& of_head, Buffer& scratch) const {
  const std::size_t count = block.queries.count;
  scratch.reserve(count * columns());
  std::fill_n(scratch.data(), count * columns(), 0.0f);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t* row_of_first_key = distances_.index_of_zero() + block.first_query + i;
    for (std::size_t j = 0; j < block.keys.count; ++j) {
      const std::size_t row = *(row_of_first_key - j);
      scratch.data()[i * columns() + row] += block.scores.row(i)[j];
      if (query_) of_head.data()[j * columns() + row] += block.scores.row(i)[j];
    }
  }
  if (key_) {
    multiply_back(kernels, {scratch.data(), columns(), count}, key_panels_, block.head, queries);
  }
}

void Disentangled::end_backward(const kernels::Table& kernels, std::size_t n, std::size_t head,
                                MutableRows keys, Buffer& of_head) const {
  if (query_) multiply_back(kernels, {of_head.data(), columns(), n}, query_panels_, head, keys);
}

std::uint64_t Disentangled::work(std::size_t n) const {
  const std::uint64_t product = columns() * head_size_;
  return (key_ ? product + n : 0) + (query_ ? product + n : 0);
}

}  // namespace headlight
