#include "ops/position.h"

#include <algorithm>
#include <cassert>

namespace headlight {

using kernels::kPanelColumns;

namespace {

// Keys are taken in groups, so that each group needs only the distances near it.
constexpr std::size_t kKeyGroup = 24;

std::size_t panel_start(std::size_t column) { return column / kPanelColumns * kPanelColumns; }

}  // namespace

void PositionScheme::prepare(const kernels::Table&) {}
void PositionScheme::begin_head(const kernels::Table&, Rows, std::size_t, Buffer&) const {}
void PositionScheme::add_to_context(const kernels::Table&, Rows, std::size_t, std::size_t, MutableRows,
                                    Buffer&) const {}
void PositionScheme::begin_backward(std::size_t, Buffer&) const {}
void PositionScheme::scores_backward(const kernels::Table&, const ScoreBlock&, MutableRows, MutableRows,
                                     Buffer&, Buffer&) const {}
void PositionScheme::end_backward(const kernels::Table&, std::size_t, std::size_t, MutableRows,
                                  Buffer&) const {}
void PositionScheme::context_backward(const kernels::Table&, Rows, std::size_t, std::size_t, MutableRows,
                                      Buffer&) const {}

RelativeKey::RelativeKey(WeightMap& map, const std::string& name, std::size_t max_positions,
                         std::size_t head_size, bool with_query)
    : max_positions_(max_positions), with_query_(with_query) {
  map.add_matrix(name, 2 * max_positions - 1, head_size, distances_, WeightMap::Need::required,
                 MatrixSink::Form::values);
}

MutableRows RelativeKey::products(const kernels::Table& kernels, Rows rows, std::size_t first,
                                  std::size_t last, Buffer& scratch) const {
  assert(last < distances_.rows());
  const PanelView embeddings = between(first, last);
  const std::size_t columns = embeddings.outputs;
  scratch.reserve(rows.count * columns);
  kernels.gemm_f32({.a = rows.data,
                    .a_stride = rows.stride,
                    .rows = rows.count,
                    .panels = embeddings.panels,
                    .k = embeddings.inputs,
                    .columns = columns,
                    .out = scratch.data(),
                    .out_stride = columns});
  return {scratch.data(), columns};
}

void RelativeKey::add_to_scores(const kernels::Table& kernels, const ScoreBlock& block, const Buffer&,
                                Buffer& scratch) const {
  const std::size_t n = block.keys.count;
  const std::size_t zero = max_positions_ - 1;  // row of the distance 0
  assert(n <= max_positions_);
  {
    const std::size_t first = block.first_query + zero - (n - 1);
    const std::size_t last = block.first_query + block.queries.count - 1 + zero;
    const MutableRows by_distance = products(kernels, block.queries, first, last, scratch);
    for (std::size_t i = 0; i < block.queries.count; ++i) {
      const float* row = by_distance.row(i) + (block.first_query + i + zero - panel_start(first));
      for (std::size_t j = 0; j < n; ++j) block.scores.row(i)[j] += *(row - j);
    }
  }
  if (!with_query_) return;
  for (std::size_t group = 0; group < n; group += kKeyGroup) {
    const Rows keys{block.keys.row(group), block.keys.stride, std::min(kKeyGroup, n - group)};
    const std::size_t first = block.first_query + zero - (group + keys.count - 1);
    const std::size_t last = block.first_query + block.queries.count - 1 + zero - group;
    const MutableRows by_distance = products(kernels, keys, first, last, scratch);
    for (std::size_t j = 0; j < keys.count; ++j) {
      const float* row = by_distance.row(j) + (block.first_query + zero - (group + j) - panel_start(first));
      for (std::size_t i = 0; i < block.queries.count; ++i) block.scores.row(i)[group + j] += row[i];
    }
  }
}

PanelView RelativeKey::between(std::size_t first, std::size_t last) const {
  const std::size_t start = panel_start(first);
  return {.panels = distances_.panels() + start * distances_.columns(),
          .outputs = last + 1 - start,
          .inputs = distances_.columns()};
}

// As add_to_scores(): the gradients of a row's scores, laid out by distance, meet the distances' embeddings.
void RelativeKey::scores_backward(const kernels::Table& kernels, const ScoreBlock& block, MutableRows queries,
                                  MutableRows keys, Buffer&, Buffer& scratch) const {
  const std::size_t n = block.keys.count, count = block.queries.count;
  const std::size_t zero = max_positions_ - 1;
  Buffer panel;
  const auto add = [&](std::size_t rows, std::size_t first, std::size_t last, MutableRows out, auto fill) {
    const PanelView embeddings = between(first, last);
    scratch.reserve(rows * embeddings.outputs);
    std::fill_n(scratch.data(), rows * embeddings.outputs, 0.0f);
    const MutableRows by_distance{scratch.data(), embeddings.outputs};
    fill(by_distance, panel_start(first));
    multiply_transposed(kernels, by_distance.first(rows), embeddings, 0, embeddings.inputs, out, panel);
  };
  const std::size_t last_query = block.first_query + count - 1;
  add(count, block.first_query + zero - (n - 1), last_query + zero, queries,
      [&](MutableRows by_distance, std::size_t start) {
        for (std::size_t i = 0; i < count; ++i) {
          float* row = by_distance.row(i) + (block.first_query + i + zero - start);
          for (std::size_t j = 0; j < n; ++j) *(row - j) = block.scores.row(i)[j];
        }
      });
  if (!with_query_) return;
  for (std::size_t group = 0; group < n; group += kKeyGroup) {
    const std::size_t size = std::min(kKeyGroup, n - group);
    add(size, block.first_query + zero - (group + size - 1), last_query + zero - group,
        {keys.row(group), keys.stride}, [&](MutableRows by_distance, std::size_t start) {
          for (std::size_t j = 0; j < size; ++j) {
            float* row = by_distance.row(j) + (block.first_query + zero - (group + j) - start);
            for (std::size_t i = 0; i < count; ++i) row[i] = block.scores.row(i)[group + j];
          }
        });
  }
}

std::uint64_t RelativeKey::work(std::size_t n) const {
  return n * distances_.columns() * (with_query_ ? 2 : 1);
}

}  // namespace headlight
