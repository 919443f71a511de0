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

std::size_t width_of(std::span<const KeyRange> keys) {
  std::size_t width = 0;
  for (const KeyRange& range : keys) width += range.end - range.begin;
  return width;
}

HeadQueries block_of(const HeadQueries& queries, std::size_t first) {
  return {.rows = {queries.rows.row(first), queries.rows.stride,
                   std::min(kQueryBlock, queries.rows.count - first)},
          .first = queries.first + first};
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
  pack_transposed(memory.values, head_size_, scratch.values.data());
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

void SelfAttention::probabilities(const kernels::Table& kernels, const HeadMemory& memory,
                                  const HeadQueries& block, const SequenceShape& sequence, std::size_t width,
                                  MutableRows scores, AttentionScratch& scratch) const {
  std::size_t offset = 0;
  for (const KeyRange& range : scratch.block) {
    kernels.gemm_f32({.a = block.rows.data,
                      .a_stride = block.rows.stride,
                      .rows = block.rows.count,
                      .panels = scratch.keys.data() + range.begin * head_size_,
                      .k = head_size_,
                      .columns = range.end - range.begin,
                      .out = scores.data + offset,
                      .out_stride = scores.stride});
    offset += range.end - range.begin;
  }
  if (position_) {
    position_->add_to_scores(kernels,
                             {.queries = block.rows,
                              .first_query = block.first,
                              .keys = memory.keys,
                              .head = memory.head,
                              .scores = scores},
                             scratch.position_of_head, scratch.position);
  }
  for (std::size_t i = 0; i < block.rows.count; ++i) {
    float* row = scores.row(i);
    if (pattern_) {
      scratch.row.clear();
      visible(sequence, block.first + i, scratch.row);
      mask(scratch.block, scratch.row, row);
    }
    kernels.softmax_f32(row, width, scale_);
    if (memory.mask != 1) {
      for (std::size_t j = 0; j < width; ++j) row[j] *= memory.mask;
    }
  }
}

void SelfAttention::weighted_sums(const kernels::Table& kernels, Rows weights, const float* panels,
                                  std::size_t n, MutableRows out, std::span<const KeyRange> block) const {
  if (block.size() == 1 && width_of(block) == n) {
    return kernels.gemm_f32({.a = weights.data,
                             .a_stride = weights.stride,
                             .rows = weights.count,
                             .panels = panels,
                             .k = n,
                             .columns = head_size_,
                             .out = out.data,
                             .out_stride = out.stride});
  }
  for (std::size_t feature = 0; feature < head_size_; feature += kPanelColumns) {
    std::size_t offset = 0;
    for (const KeyRange& range : block) {
      const float* sum_so_far = offset > 0 ? out.data + feature : nullptr;
      kernels.gemm_f32({.a = weights.data + offset,
                        .a_stride = weights.stride,
                        .rows = weights.count,
                        .panels = panels + feature * n + range.begin * kPanelColumns,
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

void SelfAttention::forward(const kernels::Table& kernels, const HeadMemory& memory,
                            const HeadQueries& queries, const SequenceShape& sequence, MutableRows context,
                            const KeptProbabilities* kept, AttentionScratch& scratch) const {
  const std::size_t n = memory.keys.count;
  // The results' own memory takes the scores where it has room for whole rows.
  const bool in_place = kept && kept->dense.data && kept->queries.empty() && !kept->compact.data && !pattern_;
  for (std::size_t first = 0; first < queries.rows.count; first += kQueryBlock) {
    const HeadQueries block = block_of(queries, first);
    visible_to_block(sequence, block.first, block.rows.count, scratch.block, scratch.row);
    const std::size_t width = width_of(scratch.block);
    if (!in_place) scratch.scores.reserve(block.rows.count * width);
    const MutableRows scores = in_place ? MutableRows{kept->dense.row(block.first), kept->dense.stride}
                                        : MutableRows{scratch.scores.data(), width};
    probabilities(kernels, memory, block, sequence, width, scores, scratch);
    for (std::size_t i = 0; kept && !in_place && i < block.rows.count; ++i) {
      scratch.row.clear();
      visible(sequence, block.first + i, scratch.row);
      keep({scratch.block, scratch.row, scores.row(i)}, block.first + i, n, *kept);
    }
    const MutableRows out{context.row(first), context.stride};
    const Rows weights = scores.first(block.rows.count);
    weighted_sums(kernels, weights, scratch.values.data(), n, out, scratch.block);
    if (position_) position_->add_to_context(kernels, weights, block.first, n, out, scratch.position);
  }
}

void SelfAttention::begin_backward(const HeadMemory& memory, AttentionScratch& scratch) const {
  const std::size_t n = memory.keys.count;
  scratch.keys_back.reserve(panels_size(head_size_, n));
  scratch.values_back.reserve(panels_size(n, head_size_));
  pack_transposed(memory.keys, head_size_, scratch.keys_back.data());
  pack_panels(memory.values, head_size_, scratch.values_back.data());
  if (position_) position_->begin_backward(n, scratch.position_gradients);
}

// With probabilities p = softmax(scale s), context = p v and their gradients d:
//   dp = dcontext v^T,  dv = p^T dcontext,  ds = scale p (dp - sum_j p dp),  dq = ds k,  dk = ds^T q
// and where a mask m multiplies the probabilities to p' = m p, the sum's part is that of p.
void SelfAttention::backward(const kernels::Table& kernels, const HeadMemory& memory,
                             const HeadQueries& queries, const SequenceShape& sequence,
                             const HeadGradients& gradients, AttentionScratch& scratch) const {
  const std::size_t n = memory.keys.count;
  for (std::size_t first = 0; first < queries.rows.count; first += kQueryBlock) {
    const HeadQueries block = block_of(queries, first);
    const std::size_t count = block.rows.count;
    visible_to_block(sequence, block.first, count, scratch.block, scratch.row);
    const std::size_t width = width_of(scratch.block);
    scratch.scores.reserve(count * width);
    scratch.gradients.reserve(count * std::max(width, n));
    const MutableRows p{scratch.scores.data(), width};
    const Rows dcontext{gradients.context.row(first), gradients.context.stride, count};
    probabilities(kernels, memory, block, sequence, width, p, scratch);

    // Of all keys, also those that are not seen: as PyTorch's gradient of its dense probabilities is.
    const bool kept = gradients.kept_gradients.data;
    const MutableRows dp{scratch.gradients.data(), kept ? n : width};
    const auto to_probabilities = [&](const KeyRange& range, std::size_t offset) {
      kernels.gemm_f32({.a = dcontext.data,
                        .a_stride = dcontext.stride,
                        .rows = count,
                        .panels = scratch.values_back.data() + range.begin * head_size_,
                        .k = head_size_,
                        .columns = range.end - range.begin,
                        .out = dp.data + offset,
                        .out_stride = dp.stride});
    };
    std::size_t offset = 0;
    if (kept) to_probabilities({0, n}, 0);
    for (const KeyRange& range : scratch.block) {
      if (!kept) to_probabilities(range, offset);
      offset += range.end - range.begin;
    }
    if (position_) position_->context_backward(kernels, dcontext, block.first, n, dp, scratch.position);
    for (std::size_t i = 0; i < count; ++i) {
      if (kept) {
        float* row = gradients.kept_gradients.row(block.first + i);
        std::copy_n(dp.row(i), n, row);
        float* probabilities_row = gradients.kept_probabilities.row(block.first + i);
        std::fill_n(probabilities_row, n, 0.0f);
        offset = 0;
        for (const KeyRange& range : scratch.block) {
          const std::size_t size = range.end - range.begin;
          std::copy_n(p.row(i) + offset, size, probabilities_row + range.begin);
          std::copy_n(row + range.begin, size, dp.row(i) + offset);
          offset += size;
        }
      }
      float sum = 0;
      for (std::size_t j = 0; j < width; ++j) sum += p.row(i)[j] * dp.row(i)[j];
      if (memory.mask != 0) sum /= memory.mask;
      for (std::size_t j = 0; j < width; ++j) dp.row(i)[j] = scale_ * p.row(i)[j] * (dp.row(i)[j] - sum);
    }
    add_transposed(kernels, p.first(count), dcontext, gradients.values, scratch);
    add_transposed(kernels, dp.first(count), block.rows, gradients.keys, scratch);
    const MutableRows dq{gradients.queries.row(first), gradients.queries.stride};
    weighted_sums(kernels, dp.first(count), scratch.keys_back.data(), n, dq, scratch.block);
    if (position_) {
      position_->scores_backward(kernels,
                                 {.queries = block.rows,
                                  .first_query = block.first,
                                  .keys = memory.keys,
                                  .head = memory.head,
                                  .scores = dp},
                                 dq, gradients.keys, scratch.position_gradients, scratch.position);
    }
  }
}

void SelfAttention::end_backward(const kernels::Table& kernels, const HeadMemory& memory, MutableRows keys,
                                 AttentionScratch& scratch) const {
  if (!position_) return;
  position_->end_backward(kernels, memory.keys.count, memory.head, keys, scratch.position_gradients);
}

// out [n, head_size] += weights [block, width] transposed times rows [block, head_size].
void SelfAttention::add_transposed(const kernels::Table& kernels, Rows weights, Rows rows, MutableRows out,
                                   AttentionScratch& scratch) const {
  const std::size_t count = weights.count;
  scratch.factors.reserve(panels_size(head_size_, count));
  pack_transposed(rows, head_size_, scratch.factors.data());
  std::size_t offset = 0;
  for (const KeyRange& range : scratch.block) {
    const std::size_t size = range.end - range.begin;
    scratch.transposed.reserve(size * count);
    for (std::size_t i = 0; i < count; ++i) {
      const float* row = weights.row(i) + offset;
      for (std::size_t j = 0; j < size; ++j) scratch.transposed.data()[j * count + i] = row[j];
    }
    kernels.gemm_f32({.a = scratch.transposed.data(),
                      .a_stride = count,
                      .rows = size,
                      .panels = scratch.factors.data(),
                      .k = count,
                      .columns = head_size_,
                      .out = out.row(range.begin),
                      .out_stride = out.stride,
                      .residual = out.row(range.begin),
                      .residual_stride = out.stride});
    offset += size;
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
