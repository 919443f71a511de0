#include "ops/attention.h"
#include "heap_sort.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

using kernels::kPanelColumns;

constexpr std::size_t kQueryBlock = 8 * kernels::kTileRows;  // its scores stay in the second-level cache

// Packs values [n, head_size] as the weights of probabilities [queries, n] times values: the columns are the features.
void pack_values(Rows values, std::size_t head_size, float* panels) {
  for (std::size_t first = 0; first < head_size; first += kPanelColumns) {
    const std::size_t width = std::min(kPanelColumns, head_size - first);
    float* panel = panels + first * values.count;
    for (std::size_t j = 0; j < values.count; ++j) {
      float* out = std::copy_n(values.row(j) + first, width, panel + j * kPanelColumns);
      std::fill_n(out, kPanelColumns - width, 0.0f);
    }
  }
}

std::size_t width_of(std::span<const KeyRange> keys) {
  std::size_t width = 0;
  for (const KeyRange& range : keys) width += range.end - range.begin;
  return width;
}

// Calls visit(range of the row, its index in a row of the block's scores) for what one query sees.
template <typename Visit>
void for_each_visible(std::span<const KeyRange> block, std::span<const KeyRange> row, Visit visit) {
  std::size_t offset = 0;
  auto seen = row.begin();
  for (const KeyRange& range : block) {
    for (; seen != row.end() && seen->begin < range.end; ++seen) {
      visit(*seen, offset + (seen->begin - range.begin));
    }
    offset += range.end - range.begin;
  }
}

// A query's probabilities over the keys of its block, of which it sees those of `row`.
struct ProbabilityRow {
  std::span<const KeyRange> block, row;
  const float* probabilities;
};

void keep(const ProbabilityRow& from, std::size_t query, std::size_t n, const KeptProbabilities& kept) {
  const auto keep_dense = [&](std::size_t row) {
    float* out = kept.dense.row(row);
    std::fill_n(out, n, 0.0f);
    for_each_visible(from.block, from.row, [&](const KeyRange& seen, std::size_t offset) {
      std::copy_n(from.probabilities + offset, seen.end - seen.begin, out + seen.begin);
    });
  };
  if (kept.dense.data && kept.queries.empty()) keep_dense(query);
  for (std::size_t i = 0; i < kept.queries.size(); ++i) {
    if (kept.dense.data && kept.queries[i] == query) keep_dense(i);
  }
  if (kept.compact.data) {
    float* out = kept.compact.data + kept.compact.offsets[query];
    for_each_visible(from.block, from.row, [&](const KeyRange& seen, std::size_t offset) {
      out = std::copy_n(from.probabilities + offset, seen.end - seen.begin, out);
    });
  }
}

}  // namespace

void SelfAttention::begin_head(const kernels::Table& kernels, const HeadMemory& memory,
                               AttentionScratch& scratch) const {
  const std::size_t n = memory.keys.count;
  scratch.keys.reserve(panels_size(n, head_size_));
  scratch.values.reserve(panels_size(head_size_, n));
  pack_panels(memory.keys, head_size_, scratch.keys.data());
  pack_values(memory.values, head_size_, scratch.values.data());
  if (position_) position_->begin_head(kernels, memory.keys, memory.head, scratch.position_of_head);
}

void SelfAttention::visible(const SequenceShape& sequence, std::size_t query,
                            std::vector<KeyRange>& keys) const {
  if (pattern_) return pattern_->visible(sequence, query, keys);
  keys.push_back({0, sequence.count});
}

void SelfAttention::visible_to_block(const SequenceShape& sequence, std::size_t first, std::size_t count,
                                     std::vector<KeyRange>& keys, std::vector<KeyRange>& row) const {
  keys.clear();
  if (!pattern_) {
    keys.push_back({0, sequence.count});
    return;
  }
  row.clear();
  for (std::size_t query = first; query < first + count; ++query) pattern_->visible(sequence, query, row);
  heap_sort(row.begin(), row.end(), [](const KeyRange& a, const KeyRange& b) { return a.begin < b.begin; });
  for (const KeyRange& range : row) {
    const std::size_t begin = range.begin / kPanelColumns * kPanelColumns;
    if (!keys.empty() && begin <= keys.back().end) {
      keys.back().end = std::max(keys.back().end, range.end);
    } else {
      keys.push_back({begin, range.end});
    }
  }
}

void SelfAttention::forward(const kernels::Table& kernels, const HeadMemory& memory,
                            const HeadQueries& queries, const SequenceShape& sequence, MutableRows context,
                            const KeptProbabilities* kept, AttentionScratch& scratch) const {
  const std::size_t n = memory.keys.count;
  // The results' own memory takes the scores where it has room for whole rows.
  const bool in_place = kept && kept->dense.data && kept->queries.empty() && !kept->compact.data && !pattern_;
  for (std::size_t first = 0; first < queries.rows.count; first += kQueryBlock) {
    const Rows block{queries.rows.row(first), queries.rows.stride,
                     std::min(kQueryBlock, queries.rows.count - first)};
    const std::size_t position = queries.first + first;
    visible_to_block(sequence, position, block.count, scratch.block, scratch.row);
    const std::size_t width = width_of(scratch.block);
    if (!in_place) scratch.scores.reserve(block.count * width);
    const MutableRows scores = in_place ? MutableRows{kept->dense.row(position), kept->dense.stride}
                                        : MutableRows{scratch.scores.data(), width};
    std::size_t offset = 0;
    for (const KeyRange& range : scratch.block) {
      kernels.gemm_f32({.a = block.data,
                        .a_stride = block.stride,
                        .rows = block.count,
                        .panels = scratch.keys.data() + range.begin * head_size_,
                        .k = head_size_,
                        .columns = range.end - range.begin,
                        .out = scores.data + offset,
                        .out_stride = scores.stride});
      offset += range.end - range.begin;
    }
    if (position_) {
      position_->add_to_scores(kernels,
                               {.queries = block,
                                .first_query = position,
                                .keys = memory.keys,
                                .head = memory.head,
                                .scores = scores},
                               scratch.position_of_head, scratch.position);
    }
    for (std::size_t i = 0; i < block.count; ++i) {
      scratch.row.clear();
      visible(sequence, position + i, scratch.row);
      if (pattern_) mask(scratch.block, scratch.row, scores.row(i));
      kernels.softmax_f32(scores.row(i), width, scale_);
      if (kept && !in_place) {
        keep({scratch.block, scratch.row, scores.row(i)}, position + i, sequence.count, *kept);
      }
    }
    const MutableRows out{context.row(first), context.stride};
    if (scratch.block.size() == 1 && width == n) {
      kernels.gemm_f32({.a = scores.data,
                        .a_stride = scores.stride,
                        .rows = block.count,
                        .panels = scratch.values.data(),
                        .k = n,
                        .columns = head_size_,
                        .out = out.data,
                        .out_stride = out.stride});
    } else {
      for (std::size_t feature = 0; feature < head_size_; feature += kPanelColumns) {
        offset = 0;
        for (const KeyRange& range : scratch.block) {
          const float* sum_so_far = offset > 0 ? out.data + feature : nullptr;
          kernels.gemm_f32({.a = scores.data + offset,
                            .a_stride = scores.stride,
                            .rows = block.count,
                            .panels = scratch.values.data() + feature * n + range.begin * kPanelColumns,
                            .k = range.end - range.begin,
                            .columns = std::min(kPanelColumns, head_size_ - feature),
                            .out = out.data + feature,
                            .out_stride = out.stride,
                            .residual = sum_so_far,
                            .residual_stride = out.stride});
          offset += range.end - range.begin;
        }
      }
    }
    if (position_) {
      position_->add_to_context(kernels, scores.first(block.count), position, n, out, scratch.position);
    }
  }
}

void SelfAttention::mask(std::span<const KeyRange> block, std::span<const KeyRange> row,
                         float* scores) const {
  constexpr float kUnseen = -std::numeric_limits<float>::infinity();
  std::size_t next = 0;
  for_each_visible(block, row, [&](const KeyRange& seen, std::size_t offset) {
    std::fill(scores + next, scores + offset, kUnseen);
    next = offset + (seen.end - seen.begin);
    // exp(scale (score + log(weight) / scale)) = weight exp(scale score)
    if (seen.weight != 1) {
      const float shift = std::log(seen.weight) / scale_;
      for (std::size_t j = offset; j < next; ++j) scores[j] += shift;
    }
  });
  std::fill(scores + next, scores + width_of(block), kUnseen);
}

std::uint64_t SelfAttention::work(const SequenceShape& sequence, std::size_t first, std::size_t count) const {
  std::uint64_t pairs = 0;  // of a query and a key
  std::vector<KeyRange> block, row;
  for (std::size_t i = 0; i < count; i += kQueryBlock) {
    const std::size_t queries = std::min(kQueryBlock, count - i);
    visible_to_block(sequence, first + i, queries, block, row);
    pairs += queries * width_of(block);
  }
  const std::uint64_t position = position_ ? count * position_->work(sequence.count) : 0;
  return 2 * static_cast<std::uint64_t>(head_size_) * pairs + position;
}

}  // namespace headlight
