// Scaled dot-product attention of one head over one sequence (Vaswani et al. 2017).
#pragma once

#include <cstdint>
#include <span>

#include "ops/buffer.h"
#include "ops/linear.h"
#include "ops/position.h"

namespace headlight {

struct HeadInputs {
  Rows queries;             // [queries, head_size]
  std::size_t first_query;  // position of the first of them; the others follow
  Rows keys;                // [n, head_size]
  Rows values;              // [n, head_size]
  std::size_t head;
};

// Where the softmax of chosen queries is kept: query queries[i], or without such a list query i, in row i.
struct KeptProbabilities {
  MutableRows rows;  // [chosen, n]
  std::span<const std::size_t> queries;
};

struct AttentionScratch {
  Buffer keys, values, scores, position;
};

class SelfAttention {
 public:
  // scale: 1 / sqrt(head_size), usually. position: may be null; must live longer.
  SelfAttention(std::size_t head_size, float scale, const PositionScheme* position)
      : head_size_(head_size), scale_(scale), position_(position) {}

  std::size_t head_size() const { return head_size_; }

  // context [queries, head_size] = softmax(scale (q k^T + position)) v, the same with and without `kept`, which may be null.
  void forward(const kernels::Table& kernels, const HeadInputs& inputs, MutableRows context,
               const KeptProbabilities* kept, AttentionScratch& scratch) const;

  // Multiply-adds of one head.
  std::uint64_t work(std::size_t queries, std::size_t n) const;

 private:
  std::size_t head_size_;
  float scale_;
  const PositionScheme* position_;
};

}  // namespace headlight
