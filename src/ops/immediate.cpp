#include "ops/immediate.h"

#include <bit>
#include <cassert>

namespace headlight {

Value Immediate::rows(std::size_t count, std::size_t columns) {
  const auto place = static_cast<std::size_t>(std::countr_one(taken_));
  assert(place < 32);
  if (place == scratch_.buffers.size()) scratch_.buffers.emplace_back();
  taken_ |= std::uint32_t{1} << place;
  scratch_.buffers[place].reserve(count * columns);
  return {{scratch_.buffers[place].data(), columns}, count, columns};
}

void Immediate::release(const Value& value) {
  for (std::size_t i = 0; i < scratch_.buffers.size(); ++i) {
    if (scratch_.buffers[i].data() == value.data) taken_ &= ~(std::uint32_t{1} << i);
  }
}

Value Immediate::linear(const Linear& linear, const Value& x, const Value* residual, const MutableRows* to) {
  const Value y = to ? Value(*to, x.count, linear.out_features()) : rows(x.count, linear.out_features());
  const Rows added = residual ? residual->rows() : Rows{};
  const Rows* const added_or_none = residual ? &added : nullptr;
  if (arithmetic_ == Arithmetic::exact) {
    linear.forward_exact(kernels_, x.rows(), 0, y.columns, y.places(), added_or_none, scratch_.panel);
    return y;
  }
  if (!input_ || input_->rows().data != x.data) input_.emplace(kernels_, x.rows(), x.columns, scratch_.codes);
  linear.forward(*input_, y.places(), added_or_none);
  changed(y);
  return y;
}

Value Immediate::norm(const Norm& norm, const Value& x, const MutableRows* to) {
  const Value y = to ? Value(*to, x.count, x.columns) : x;
  norm.forward(kernels_, x.rows(), y.places());
  changed(y);
  return y;
}

Value Immediate::activate(Activation activation, const Value& x) {
  if (x.stride == x.columns) {
    apply(activation, kernels_, x.data, x.count * x.columns);
  } else {
    for (std::size_t i = 0; i < x.count; ++i) apply(activation, kernels_, x.row(i), x.columns);
  }
  changed(x);
  return x;
}

Value Immediate::multiply(const Value& a, const Value& b) {
  for (std::size_t i = 0; i < a.count; ++i) {
    for (std::size_t c = 0; c < a.columns; ++c) a.row(i)[c] *= b.row(i)[c];
  }
  changed(a);
  return a;
}

Value Immediate::add(const Value& a, const Value& b) {
  for (std::size_t i = 0; i < a.count; ++i) {
    for (std::size_t c = 0; c < a.columns; ++c) a.row(i)[c] += b.row(i)[c];
  }
  changed(a);
  return a;
}

void Immediate::turn(const Rotary& rotary, std::span<const TokenInput> tokens, const Value& x) {
  for (std::size_t i = 0; i < x.count; ++i) rotary.forward(tokens[i].position, x.columns, x.row(i));
  changed(x);
}

Value Immediate::convolve(const Convolution1d& convolution, const Value& sequence, std::size_t first,
                          std::size_t count) {
  const Value y = rows(count, convolution.features());
  convolution.forward(kernels_, sequence.rows(), first, count, y.places());
  return y;
}

}  // namespace headlight
