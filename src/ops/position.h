// Position schemes that act on attention scores. Those that act on the embeddings are part of these.
#pragma once

#include <cstddef>
#include <string>

#include "ops/buffer.h"
#include "ops/linear.h"

namespace headlight {

// The raw scores of one head for a block of queries, before scaling and softmax.
struct ScoreBlock {
  Rows queries;             // [block, head_size]
  std::size_t first_query;  // position of the first of them
  Rows keys;                // [n, head_size], positions 0 … n - 1
  std::size_t head;
  MutableRows scores;  // [block, n]
};

class PositionScheme {
 public:
  virtual ~PositionScheme() = default;
  // After the weights are there and before the first forward pass: computes what depends on them alone.
  virtual void prepare(const kernels::Table& kernels);
  // For one head of one sequence; keys [n, head_size]. What it leaves in `of_head` is there for add_to_scores.
  virtual void begin_head(const kernels::Table& kernels, Rows keys, std::size_t head, Buffer& of_head) const;
  virtual void add_to_scores(const kernels::Table& kernels, const ScoreBlock& block, const Buffer& of_head,
                             Buffer& scratch) const = 0;
  // probabilities [block, n] of the queries from position first_query on; context [block, head_size].
  virtual void add_to_context(const kernels::Table& kernels, Rows probabilities, std::size_t first_query,
                              std::size_t n, MutableRows context, Buffer& scratch) const;
  // Vector–Jacobian products, for one head of n keys between begin_backward() and end_backward(); what is kept between
  // the blocks is in `of_head`. block.scores holds the gradient of the raw scores; the queries' [block, head_size] and
  // the keys' [n, head_size] are added to.
  virtual void begin_backward(std::size_t n, Buffer& of_head) const;
  virtual void scores_backward(const kernels::Table& kernels, const ScoreBlock& block, MutableRows queries,
                               MutableRows keys, Buffer& of_head, Buffer& scratch) const;
  virtual void end_backward(const kernels::Table& kernels, std::size_t n, std::size_t head, MutableRows keys,
                            Buffer& of_head) const;
  // context [block, head_size]: its gradient; adds to that of the probabilities [block, n].
  virtual void context_backward(const kernels::Table& kernels, Rows context, std::size_t first_query,
                                std::size_t n, MutableRows probabilities, Buffer& scratch) const;
  // Multiply-adds for one query of one head over n keys.
  virtual std::uint64_t work(std::size_t n) const = 0;
};

// relative_key (Shaw, Uszkoreit & Vaswani 2018) and relative_key_query (Huang et al. 2020, method 4):
// score[i][j] += q_i · E[i - j + P - 1]  (+ k_j · E[i - j + P - 1])
class RelativeKey : public PositionScheme {
 public:
  // with_query: relative_key_query. Binds `name` [2 max_positions - 1, head_size].
  RelativeKey(WeightMap& map, const std::string& name, std::size_t max_positions, std::size_t head_size,
              bool with_query);

  void add_to_scores(const kernels::Table& kernels, const ScoreBlock& block, const Buffer& of_head,
                     Buffer& scratch) const override;
  void scores_backward(const kernels::Table& kernels, const ScoreBlock& block, MutableRows queries,
                       MutableRows keys, Buffer& of_head, Buffer& scratch) const override;
  std::uint64_t work(std::size_t n) const override;

 private:
  // The embeddings of distances from the panel of `first` to `last`.
  PanelView between(std::size_t first, std::size_t last) const;
  // Products of the rows with the distances' embeddings, [rows, columns from the panel of `first` on].
  MutableRows products(const kernels::Table& kernels, Rows rows, std::size_t first, std::size_t last,
                       Buffer& scratch) const;

  PackedMatrix distances_;
  std::size_t max_positions_;
  bool with_query_;
};

}  // namespace headlight
