// The operators that layers, embeddings and heads are made of, as calls: whoever is given these computes at once
// (ops/immediate.h) or takes down what to compute, and to derive (explain/graph.h), from the same formula.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ops/activation.h"
#include "ops/convolution.h"
#include "ops/linear.h"
#include "ops/norm.h"
#include "ops/rotary.h"

namespace headlight {

// One position of a sequence, padding left out.
struct TokenInput {
  std::int32_t id;
  std::int32_t type_id;
  std::int32_t previous_id;  // of the padded input; -1 at its ends
  std::int32_t next_id;
  std::size_t position;  // index into the position embeddings
};

// What operators take and give: rows [count, columns].
struct Value {
  float* data;
  std::size_t stride;
  std::size_t count;
  std::size_t columns;
  std::size_t id = 0;  // of the operators that gave it

  Value() = default;
  Value(MutableRows rows, std::size_t count, std::size_t columns)
      : data(rows.data), stride(rows.stride), count(count), columns(columns) {}

  Rows rows() const { return {data, stride, count}; }
  MutableRows places() const { return {data, stride}; }
  float* row(std::size_t i) const { return data + i * stride; }
};

// `to`: where the result goes; null: memory of its own. What may overwrite an operand computes in its place; the operand
// is not read again.
class Operators {
 public:
  virtual ~Operators() = default;
  virtual const kernels::Table& kernels() const = 0;

  // Rows of their own, for the caller to fill at once or to name as `to`.
  virtual Value rows(std::size_t count, std::size_t columns) = 0;
  // These rows are not read again: their memory may serve others.
  virtual void release(const Value&) {}

  // x W^T + b, plus the residual where it is given.
  virtual Value linear(const Linear& linear, const Value& x, const Value* residual = nullptr,
                       const MutableRows* to = nullptr) = 0;
  // Without `to` may overwrite x.
  virtual Value norm(const Norm& norm, const Value& x, const MutableRows* to = nullptr) = 0;
  virtual Value activate(Activation activation, const Value& x) = 0;  // may overwrite x
  virtual Value multiply(const Value& a, const Value& b) = 0;         // may overwrite a
  virtual Value add(const Value& a, const Value& b) = 0;              // may overwrite a
  virtual void turn(const Rotary& rotary, std::span<const TokenInput> tokens,
                    const Value& x) = 0;  // in place
  // Rows first … first + count - 1 of a sequence through a convolution.
  virtual Value convolve(const Convolution1d& convolution, const Value& sequence, std::size_t first,
                         std::size_t count) = 0;
};

}  // namespace headlight
