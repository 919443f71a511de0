// Scaled dot-product attention of one head over one sequence (Vaswani et al. 2017).
#pragma once

#include <cstdint>

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

struct AttentionScratch {
  Buffer keys, values, scores, position;
};

class SelfAttention {
 public:
  // scale: 1 / sqrt(head_size), usually. position: may be null; must live longer.
  SelfAttention(std::size_t head_size, float scale, const PositionScheme* position)
      : head_size_(head_size), scale_(scale), position_(position) {}

  std::size_t head_size() const { return head_size_; }

  // context [queries, head_size] = softmax(scale (q k^T + position)) v; where `probabilities` [queries, n] is given, the
  // softmax is kept there. The context is the same with and without it.
  void forward(const kernels::Table& kernels, const HeadInputs& inputs, MutableRows context,
               const MutableRows* probabilities, AttentionScratch& scratch) const;

  // Multiply-adds of one head.
  std::uint64_t work(std::size_t queries, std::size_t n) const;

 private:
  std::size_t head_size_;
  float scale_;
  const PositionScheme* position_;
};

}  // namespace headlight
