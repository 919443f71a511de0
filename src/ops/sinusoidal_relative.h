// NEZHA's relative positions (Wei et al. 2019): fixed sinusoids of the clipped distance, for scores and values.
#pragma once

#include "ops/position.h"

namespace headlight {

//   score[i][j] += q_i · R[clip(j - i)],  context_i += sum_j p[i][j] R[clip(j - i)],  clip to -reach … reach
class SinusoidalRelative : public PositionScheme {
 public:
  SinusoidalRelative(std::size_t head_size, std::size_t reach);

  void add_to_scores(const kernels::Table& kernels, const ScoreBlock& block, const Buffer& of_head,
                     Buffer& scratch) const override;
  void add_to_context(const kernels::Table& kernels, Rows probabilities, std::size_t first_query,
                      std::size_t n, MutableRows context, Buffer& scratch) const override;
  void scores_backward(const kernels::Table& kernels, const ScoreBlock& block, MutableRows queries,
                       MutableRows keys, Buffer& of_head, Buffer& scratch) const override;
  void context_backward(const kernels::Table& kernels, Rows context, std::size_t first_query, std::size_t n,
                        MutableRows probabilities, Buffer& scratch) const override;
  std::uint64_t work(std::size_t n) const override;

 private:
  std::size_t distances() const { return 2 * reach_ + 1; }
  // Index of R's row for a query and a key.
  std::size_t distance(std::size_t query, std::size_t key) const;

  std::size_t head_size_, reach_;
  Buffer by_feature_;   // R as panels over the features: the columns are distances
  Buffer by_distance_;  // R as panels over the distances: the columns are features
};

}  // namespace headlight
