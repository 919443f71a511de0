#include "ops/attention.h"

#include <algorithm>
#include <cassert>

namespace headlight {
namespace {

constexpr std::size_t kQueryBlock = 8 * kernels::kTileRows;  // its scores stay in the second-level cache

// Packs values [n, head_size] as the weights of probabilities [queries, n] times values: the columns are the features.
void pack_values(Rows values, std::size_t head_size, float* panels) {
  using kernels::kPanelColumns;
  for (std::size_t first = 0; first < head_size; first += kPanelColumns) {
    const std::size_t width = std::min(kPanelColumns, head_size - first);
    float* panel = panels + first * values.count;
    for (std::size_t j = 0; j < values.count; ++j) {
      float* out = std::copy_n(values.row(j) + first, width, panel + j * kPanelColumns);
      std::fill_n(out, kPanelColumns - width, 0.0f);
    }
  }
}

}  // namespace

void SelfAttention::forward(const kernels::Table& kernels, const HeadInputs& inputs, MutableRows context,
                            const KeptProbabilities* kept, AttentionScratch& scratch) const {
  const std::size_t n = inputs.keys.count;
  scratch.keys.reserve(panels_size(n, head_size_));
  scratch.values.reserve(panels_size(head_size_, n));
  pack_panels(inputs.keys, head_size_, scratch.keys.data());
  pack_values(inputs.values, head_size_, scratch.values.data());
  const bool keep_all = kept && kept->queries.empty();
  if (!keep_all) scratch.scores.reserve(std::min(kQueryBlock, inputs.queries.count) * n);

  for (std::size_t first = 0; first < inputs.queries.count; first += kQueryBlock) {
    const Rows queries{inputs.queries.row(first), inputs.queries.stride,
                       std::min(kQueryBlock, inputs.queries.count - first)};
    const MutableRows scores = keep_all ? MutableRows{kept->rows.row(first), kept->rows.stride}
                                        : MutableRows{scratch.scores.data(), n};
    kernels.gemm_f32({.a = queries.data,
                      .a_stride = queries.stride,
                      .rows = queries.count,
                      .panels = scratch.keys.data(),
                      .k = head_size_,
                      .columns = n,
                      .out = scores.data,
                      .out_stride = scores.stride});
    if (position_) {
      position_->add_to_scores(kernels,
                               {.queries = queries,
                                .first_query = inputs.first_query + first,
                                .keys = inputs.keys,
                                .head = inputs.head,
                                .scores = scores},
                               scratch.position);
    }
    for (std::size_t i = 0; i < queries.count; ++i) kernels.softmax_f32(scores.row(i), n, scale_);
    if (kept && !keep_all) {
      for (std::size_t i = 0; i < kept->queries.size(); ++i) {
        const std::size_t query = kept->queries[i];
        const bool in_block = query >= first && query < first + queries.count;
        if (in_block) std::copy_n(scores.row(query - first), n, kept->rows.row(i));
      }
    }
    kernels.gemm_f32({.a = scores.data,
                      .a_stride = scores.stride,
                      .rows = queries.count,
                      .panels = scratch.values.data(),
                      .k = n,
                      .columns = head_size_,
                      .out = context.row(first),
                      .out_stride = context.stride});
  }
}

std::uint64_t SelfAttention::work(std::size_t queries, std::size_t n) const {
  const std::uint64_t products = 2 * static_cast<std::uint64_t>(head_size_) * n;
  return queries * (products + (position_ ? position_->work(n) : 0));
}

}  // namespace headlight
