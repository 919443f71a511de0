#include "explain/graph.h"

#include <algorithm>
#include <cassert>

namespace headlight::explain {
namespace {

constexpr std::size_t kPartColumns = 8 * kernels::kPanelColumns;  // of a matrix product
constexpr std::size_t kPartRows = 8 * kernels::kTileRows;         // of what is computed row by row
constexpr std::uint64_t kRowWork = 8;                             // of one of its elements

std::size_t divided(std::size_t n, std::size_t by) { return (n + by - 1) / by; }

Buffer& next(std::vector<Buffer>& buffers, std::size_t& index, std::size_t size) {
  if (index == buffers.size()) buffers.emplace_back();
  buffers[index].reserve(size);
  return buffers[index++];
}

// Columns of one head.
Rows of_head(const Value& value, std::size_t column) {
  return {value.data + column, value.stride, value.count};
}
MutableRows places_of_head(const Value& value, std::size_t column) {
  return {value.data + column, value.stride};
}

void add_rows(const Value& from, const Value& to) {
  for (std::size_t i = 0; i < from.count; ++i) {
    for (std::size_t c = 0; c < from.columns; ++c) to.row(i)[c] += from.row(i)[c];
  }
}

}  // namespace

void Graph::clear() {
  nodes_.clear();
  slots_.resize(1);
  next_buffer_ = next_gradient_ = 0;
}

void Graph::clear_gradients() {
  for (Slot& slot : slots_) slot.gradient = nullptr;
  next_gradient_ = 0;
}

Value Graph::place(MutableRows rows, std::size_t count, std::size_t columns, float* gradient) {
  Value value(rows, count, columns);
  value.id = slots_.size();
  slots_.push_back({value, gradient});
  return value;
}

Value Graph::input(MutableRows rows, std::size_t count, std::size_t columns, float* gradient) {
  return place(rows, count, columns, gradient);
}

Value Graph::rows(std::size_t count, std::size_t columns) {
  return place({next(buffers_, next_buffer_, count * columns).data(), columns}, count, columns, nullptr);
}

Value Graph::result(const MutableRows* to, std::size_t count, std::size_t columns) {
  return to ? place(*to, count, columns, nullptr) : rows(count, columns);
}

Graph::Node& Graph::add_node(Kind kind, const Value& x, const Value& y) {
  return nodes_.emplace_back(Node{.kind = kind, .x = x.id, .y = y.id});
}

void Graph::want_gradient(std::size_t slot) {
  auto& [value, gradient] = slots_[slot];
  if (slot == 0 || gradient) return;
  const std::size_t size = value.count * value.columns;
  gradient = next(gradient_buffers_, next_gradient_, size).data();
  std::fill_n(gradient, size, 0.0f);
}

float* Graph::gradient(const Value& value) {
  want_gradient(value.id);
  return slots_[value.id].gradient;
}

Value Graph::linear(const Linear& linear, const Value& x, const Value* residual, const MutableRows* to) {
  const Value y = result(to, x.count, linear.out_features());
  Node& node = add_node(Kind::linear, x, y);
  node.operand = &linear;
  if (residual) node.b = residual->id;
  return y;
}

Value Graph::norm(const Norm& norm, const Value& x, const MutableRows* to) {
  const Value y = result(to, x.count, x.columns);
  add_node(Kind::norm, x, y).operand = &norm;
  return y;
}

Value Graph::activate(Activation activation, const Value& x) {
  const Value y = rows(x.count, x.columns);
  add_node(Kind::activate, x, y).activation = activation;
  return y;
}

Value Graph::multiply(const Value& a, const Value& b) {
  const Value y = rows(a.count, a.columns);
  add_node(Kind::multiply, a, y).b = b.id;
  return y;
}

Value Graph::add(const Value& a, const Value& b) {
  const Value y = rows(a.count, a.columns);
  add_node(Kind::add, a, y).b = b.id;
  return y;
}

void Graph::turn(const Rotary& rotary, std::span<const TokenInput> tokens, const Value& x) {
  Node& node = add_node(Kind::turn, x, x);
  node.operand = &rotary;
  node.tokens = tokens;
}

Value Graph::convolve(const Convolution1d& convolution, const Value& sequence, std::size_t first,
                      std::size_t count) {
  assert(first == 0 && count == sequence.count);
  const Value y = rows(first + count, convolution.features());
  add_node(Kind::convolve, sequence, y).operand = &convolution;
  return y;
}

Value Graph::gather(const Value& x, std::span<const std::size_t> indices) {
  const Value y = rows(indices.size(), x.columns);
  add_node(Kind::gather, x, y).indices = indices;
  return y;
}

Value Graph::attend(const SelfAttention& attention, const QueriesKeysValues& of,
                    const AttentionSetting& setting) {
  const Value context = rows(of.queries.count, of.queries.columns);
  attend_apart(attention, of, setting, context);
  nodes_.back().kind = Kind::attend;
  return context;
}

void Graph::attend_apart(const SelfAttention& attention, const QueriesKeysValues& of,
                         const AttentionSetting& setting, const Value& context) {
  Node& node = add_node(Kind::attend_apart, of.queries, context);
  node.b = of.keys.id;
  node.c = of.values.id;
  node.operand = &attention;
  node.heads = context.columns / attention.head_size();
  node.setting = &setting;
  node.indices = setting.apart;
}

std::size_t Graph::parts(std::size_t run) const {
  const Node& of = node(run);
  switch (of.kind) {
    case Kind::linear:
      return divided(slots_[is_backward(run) ? of.x : of.y].value.columns, kPartColumns);
    case Kind::attend:
    case Kind::attend_apart:
      return of.heads;
    case Kind::convolve:
    case Kind::gather:
      return 1;
    default:
      return divided(slots_[of.y].value.count, kPartRows);
  }
}

std::uint64_t Graph::part_work(std::size_t run) const {
  const Node& of = node(run);
  const Value& x = slots_[of.x].value;
  const Value& y = slots_[of.y].value;
  switch (of.kind) {
    case Kind::linear:
      return static_cast<std::uint64_t>(x.count) * (is_backward(run) ? y : x).columns * kPartColumns;
    case Kind::convolve:
      return x.count * static_cast<const Convolution1d*>(of.operand)->work();
    case Kind::attend:
    case Kind::attend_apart: {
      const auto& attention = *static_cast<const SelfAttention*>(of.operand);
      // The way back has five products where there are two.
      return attention.work(of.setting->sequence, 0, x.count) * (is_backward(run) ? 3 : 1);
    }
    case Kind::gather:
      return y.count;
    default:
      return kRowWork * kPartRows * y.columns;
  }
}

Value Graph::value(std::size_t slot, std::size_t first, std::size_t count) const {
  const Value& all = slots_[slot].value;
  return {{all.row(first), all.stride}, std::min(count, all.count - first), all.columns};
}

Value Graph::gradient(std::size_t slot, std::size_t first, std::size_t count) const {
  const auto& [all, gradient] = slots_[slot];
  return {{gradient + first * all.columns, all.columns}, std::min(count, all.count - first), all.columns};
}

void Graph::prepare(std::size_t run) {
  if (!is_backward(run)) return;
  const Node of = node(run);
  for (const std::size_t slot : {of.x, of.b, of.c, of.y}) want_gradient(slot);
}

void Graph::run(std::size_t run, std::size_t part, Bench& bench) const {
  if (is_backward(run)) {
    backward(node(run), part, bench);
  } else {
    forward(node(run), part, bench);
  }
}

void Graph::forward(const Node& node, std::size_t part, Bench& bench) const {
  const std::size_t first = node.kind == Kind::linear ? 0 : part * kPartRows;
  if (node.kind == Kind::attend || node.kind == Kind::attend_apart) return attend_forward(node, part, bench);
  if (node.kind == Kind::linear) {
    const Value x = slots_[node.x].value, y = slots_[node.y].value;
    const Rows residual = slots_[node.b].value.rows();
    const std::size_t column = part * kPartColumns;
    static_cast<const Linear*>(node.operand)
        ->forward_exact(kernels_, x.rows(), column, std::min(kPartColumns, y.columns - column), y.places(),
                        node.b ? &residual : nullptr, bench.panel);
    return;
  }
  if (node.kind == Kind::convolve) {
    const Value x = slots_[node.x].value;
    static_cast<const Convolution1d*>(node.operand)
        ->forward(kernels_, x.rows(), 0, x.count, slots_[node.y].value.places());
    return;
  }
  if (node.kind == Kind::gather) {
    const Value x = slots_[node.x].value, y = slots_[node.y].value;
    for (std::size_t i = 0; i < y.count; ++i) std::copy_n(x.row(node.indices[i]), y.columns, y.row(i));
    return;
  }
  const Value x = value(node.x, first, kPartRows), y = value(node.y, first, kPartRows);
  if (node.kind == Kind::norm) {
    static_cast<const Norm*>(node.operand)->forward(kernels_, x.rows(), y.places());
    return;
  }
  const Value b = node.b ? value(node.b, first, kPartRows) : x;
  for (std::size_t i = 0; i < y.count; ++i) {
    float* out = y.row(i);
    if (node.kind == Kind::turn) {
      static_cast<const Rotary*>(node.operand)->forward(node.tokens[first + i].position, y.columns, out);
      continue;
    }
    std::copy_n(x.row(i), y.columns, out);
    if (node.kind == Kind::activate) {
      apply(node.activation, kernels_, out, y.columns);
    } else {
      const float* other = b.row(i);
      for (std::size_t c = 0; c < y.columns; ++c) {
        out[c] = node.kind == Kind::add ? out[c] + other[c] : out[c] * other[c];
      }
    }
  }
}

void Graph::backward(const Node& node, std::size_t part, Bench& bench) const {
  if (node.kind == Kind::attend || node.kind == Kind::attend_apart) return attend_backward(node, part, bench);
  const std::size_t all = slots_[node.y].value.count;
  if (node.kind == Kind::linear) {
    const Value dy = gradient(node.y, 0, all), dx = gradient(node.x, 0, all);
    const std::size_t column = part * kPartColumns;
    static_cast<const Linear*>(node.operand)
        ->backward(kernels_, dy.rows(), column, std::min(kPartColumns, dx.columns - column), dx.places(),
                   bench.panel);
    if (node.b && part == 0) add_rows(dy, gradient(node.b, 0, all));
    return;
  }
  if (node.kind == Kind::convolve) {
    static_cast<const Convolution1d*>(node.operand)
        ->backward(kernels_, gradient(node.y, 0, all).rows(), gradient(node.x, 0, all).places());
    return;
  }
  if (node.kind == Kind::gather) {
    const Value dy = gradient(node.y, 0, all);
    for (std::size_t i = 0; i < all; ++i) {
      float* dx = gradient(node.x, node.indices[i], 1).data;
      for (std::size_t c = 0; c < dy.columns; ++c) dx[c] += dy.row(i)[c];
    }
    return;
  }
  const std::size_t first = part * kPartRows;
  const Value x = value(node.x, first, kPartRows), y = value(node.y, first, kPartRows);
  const Value dx = gradient(node.x, first, kPartRows), dy = gradient(node.y, first, kPartRows);
  if (node.kind == Kind::norm) {
    static_cast<const Norm*>(node.operand)->backward(x.rows(), dy.rows(), dx.places());
    return;
  }
  const std::size_t other = node.b ? node.b : node.x;
  const Value b = value(other, first, kPartRows), db = gradient(other, first, kPartRows);
  for (std::size_t i = 0; i < y.count; ++i) {
    const float* dout = dy.row(i);
    switch (node.kind) {
      case Kind::turn:
        static_cast<const Rotary*>(node.operand)
            ->backward(node.tokens[first + i].position, y.columns, dy.row(i));
        break;
      case Kind::activate:
        apply_backward(node.activation, x.row(i), y.row(i), dout, y.columns, dx.row(i));
        break;
      default:
        for (std::size_t c = 0; c < y.columns; ++c) {
          const bool sum = node.kind == Kind::add;
          dx.row(i)[c] += sum ? dout[c] : dout[c] * b.row(i)[c];
          db.row(i)[c] += sum ? dout[c] : dout[c] * x.row(i)[c];
        }
    }
  }
}

HeadMemory Graph::memory(const Node& node, std::size_t head) const {
  const std::size_t column = head * static_cast<const SelfAttention*>(node.operand)->head_size();
  const auto& mask = node.setting->head_mask;
  return {.keys = of_head(slots_[node.b].value, column),
          .values = of_head(slots_[node.c].value, column),
          .head = head,
          .mask = mask.empty() ? 1.0f : mask[head]};
}

namespace {

// Calls attend(queries' rows, position of the first, their number): for each of the tokens apart, whose queries have
// rows of their own, or for the others between them.
template <typename Attend>
void for_each_query_group(bool of_those, std::span<const std::size_t> apart, std::size_t n, Attend attend) {
  std::size_t next = 0;
  for (std::size_t g = 0; g < apart.size(); ++g) {
    const std::size_t position = apart[g];
    if (of_those) attend(g, position, std::size_t{1});
    if (!of_those && next < position) attend(next, next, position - next);
    next = position + 1;
  }
  if (!of_those && next < n) attend(next, next, n - next);
}

MutableRows matrix_of_head(float* matrices, std::size_t n, std::size_t head) {
  return {matrices ? matrices + head * n * n : nullptr, n};
}

}  // namespace

void Graph::attend_forward(const Node& node, std::size_t head, Bench& bench) const {
  const auto& attention = *static_cast<const SelfAttention*>(node.operand);
  const SequenceShape& sequence = node.setting->sequence;
  const std::size_t column = head * attention.head_size();
  const HeadMemory of = memory(node, head);
  attention.begin_head(kernels_, of, bench.attention);
  const KeptProbabilities kept{.dense =
                                   matrix_of_head(node.setting->kept.probabilities, sequence.count, head)};
  for_each_query_group(node.kind == Kind::attend_apart, node.indices, sequence.count,
                       [&](std::size_t row, std::size_t position, std::size_t count) {
                         attention.forward(
                             kernels_, of,
                             {.rows = of_head(value(node.x, row, count), column), .first = position},
                             sequence, places_of_head(value(node.y, position, count), column),
                             kept.dense.data ? &kept : nullptr, bench.attention);
                       });
}

void Graph::attend_backward(const Node& node, std::size_t head, Bench& bench) const {
  const auto& attention = *static_cast<const SelfAttention*>(node.operand);
  const SequenceShape& sequence = node.setting->sequence;
  const KeptMatrices& kept = node.setting->kept;
  const std::size_t column = head * attention.head_size();
  const HeadMemory of = memory(node, head);
  const std::size_t n = sequence.count;
  const MutableRows dkeys = places_of_head(gradient(node.b, 0, n), column);
  attention.begin_head(kernels_, of, bench.attention);
  attention.begin_backward(of, bench.attention);
  for_each_query_group(
      node.kind == Kind::attend_apart, node.indices, n,
      [&](std::size_t row, std::size_t position, std::size_t count) {
        attention.backward(
            kernels_, of, {.rows = of_head(value(node.x, row, count), column), .first = position}, sequence,
            {.context = of_head(gradient(node.y, position, count), column),
             .queries = places_of_head(gradient(node.x, row, count), column),
             .keys = dkeys,
             .values = places_of_head(gradient(node.c, 0, n), column),
             .kept_probabilities = matrix_of_head(kept.gradients ? kept.probabilities : nullptr, n, head),
             .kept_gradients = matrix_of_head(kept.gradients, n, head)},
            bench.attention);
      });
  attention.end_backward(kernels_, of, dkeys, bench.attention);
}

}  // namespace headlight::explain
