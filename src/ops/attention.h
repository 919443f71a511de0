// Scaled dot-product attention of one head over one sequence (Vaswani et al. 2017).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/attention_pattern.h"
#include "ops/buffer.h"
#include "ops/linear.h"
#include "ops/position.h"

namespace headlight {

// The keys and values of one head.
struct HeadMemory {
  Rows keys;    // [n, head_size]
  Rows values;  // [n, head_size]
  std::size_t head;
  float mask = 1;  // what the head's probabilities are multiplied by; 0: the head is off
};

// Queries that follow each other.
struct HeadQueries {
  Rows rows;          // [count, head_size]
  std::size_t first;  // position of the first of them
};

// The probabilities of one head in the compact form: of each query only the keys that it sees.
struct CompactRows {
  std::span<const std::size_t> offsets;  // where a query's probabilities begin in `data`; [n + 1]
  float* data;
};

// Where probabilities are kept; what is not asked for stays empty.
struct KeptProbabilities {
  MutableRows dense = {nullptr, 0};  // query queries[i], or without such a list query i, in row i; [., n]
  std::span<const std::size_t> queries = {};
  CompactRows compact = {{}, nullptr};
};

struct AttentionScratch {
  Buffer keys, values, scores, position_of_head, position;
  std::vector<KeyRange> block, row;
  // Of the way back: the panels' other layouts, gradients, and what is multiplied transposed.
  Buffer keys_back, values_back, gradients, transposed, factors, position_gradients;
};

// Of one head. What comes in: the gradient of the context [count, head_size] of these queries. What goes out: queries'
// [count, head_size], which is written, and keys' and values' [n, head_size], which is added to.
struct HeadGradients {
  Rows context;
  MutableRows queries, keys, values;
  // The probabilities and their gradients, query i in row i, [n, n]; null: not kept.
  MutableRows kept_probabilities = {nullptr, 0}, kept_gradients = {nullptr, 0};
};

class SelfAttention {
 public:
  // scale: 1 / sqrt(head_size), usually. position: acts on the scores; pattern: what a query sees, null for all keys.
  // Both may be null and must live longer; a position scheme goes with a null pattern only.
  SelfAttention(std::size_t head_size, float scale, const PositionScheme* position,
                const AttentionPattern* pattern = nullptr)
      : head_size_(head_size), scale_(scale), position_(position), pattern_(pattern) {}

  std::size_t head_size() const { return head_size_; }
  float scale() const { return scale_; }

  // Lays out a head's keys and values in `scratch` for the calls of forward() that follow.
  void begin_head(const kernels::Table& kernels, const HeadMemory& memory, AttentionScratch& scratch) const;

  // context [count, head_size] = softmax(scale (q k^T + position)) v over the keys that each query sees; the same
  // with and without `kept`, which may be null.
  void forward(const kernels::Table& kernels, const HeadMemory& memory, const HeadQueries& queries,
               const SequenceShape& sequence, MutableRows context, const KeptProbabilities* kept,
               AttentionScratch& scratch) const;

  // Vector–Jacobian products of forward(): begin_backward() after begin_head() and before the calls of backward() for
  // a head's queries, end_backward() after them.
  void begin_backward(const HeadMemory& memory, AttentionScratch& scratch) const;
  void backward(const kernels::Table& kernels, const HeadMemory& memory, const HeadQueries& queries,
                const SequenceShape& sequence, const HeadGradients& gradients,
                AttentionScratch& scratch) const;
  void end_backward(const kernels::Table& kernels, const HeadMemory& memory, MutableRows keys,
                    AttentionScratch& scratch) const;

  // Appends the keys that a query sees, in ascending order.
  void visible(const SequenceShape& sequence, std::size_t query, std::vector<KeyRange>& keys) const;

  // Multiply-adds of one head for the queries first … first + count - 1.
  std::uint64_t work(const SequenceShape& sequence, std::size_t first, std::size_t count) const;

 private:
  // The ranges that hold what any of the queries sees; they begin at whole panels of keys.
  void visible_to_block(const SequenceShape& sequence, std::size_t first, std::size_t count,
                        std::vector<KeyRange>& keys, std::vector<KeyRange>& row) const;
  // The probabilities of a block's queries over the keys of scratch.block, `width` of them, go to `scores`.
  void probabilities(const kernels::Table& kernels, const HeadMemory& memory, const HeadQueries& block,
                     const SequenceShape& sequence, std::size_t width, MutableRows scores,
                     AttentionScratch& scratch) const;
  // out [block, head_size] = weights [block, width] times the rows that pack_transposed() laid out in panels.
  void weighted_sums(const kernels::Table& kernels, Rows weights, const float* panels, std::size_t n,
                     MutableRows out, std::span<const KeyRange> block) const;
  void add_transposed(const kernels::Table& kernels, Rows weights, Rows rows, MutableRows out,
                      AttentionScratch& scratch) const;
  // Takes out of a row of scores, over the keys of `block`, all but those of `row`, and weighs these.
  void mask(std::span<const KeyRange> block, std::span<const KeyRange> row, float* scores) const;

  std::size_t head_size_;
  float scale_;
  const PositionScheme* position_;
  const AttentionPattern* pattern_;
};

}  // namespace headlight
