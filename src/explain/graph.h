// Operators that are taken down instead of computed: the nodes of a graph, which then run forward in their order and
// backward against it, each in parts that do not depend on each other. Rows meet int8 weights as they are: the weights
// are multiplied out a panel at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/encoder.h"
#include "ops/operators.h"

namespace headlight::explain {

// One layer's attention probabilities, and after the way back the gradients of these: [heads, n, n], query by key.
// What is null is not kept.
struct KeptMatrices {
  float* probabilities = nullptr;
  float* gradients = nullptr;
};

// What a layer's attention is told beside its queries, keys and values; all must live as long as the nodes.
struct AttentionSetting {
  const SequenceShape& sequence;
  std::span<const float> head_mask;  // [heads]; empty: all 1
  KeptMatrices kept;
  std::span<const std::size_t> apart = {};  // tokens whose queries have projections of their own, ascending
};

class Graph final : public Operators {
 public:
  // What a thread works with.
  struct Bench {
    Buffer panel;
    AttentionScratch attention;
  };

  // gradients: memory for the way back, which graphs that do not go it at the same time may share.
  Graph(const Table& kernels, std::vector<Buffer>& gradients)
      : kernels_(kernels), gradient_buffers_(gradients) {}

  // Forgets the nodes. Memory is kept for the next ones.
  void clear();
  // Forgets the gradients, before a way back.
  void clear_gradients();

  // Rows of the caller's; gradient [count, columns]: what the way back adds theirs to, null: memory of the graph's.
  Value input(MutableRows rows, std::size_t count, std::size_t columns, float* gradient = nullptr);
  // Where a value's gradient stands. Memory of the graph's holds 0 at first.
  float* gradient(const Value& value);
  void set_gradient(const Value& value, float* gradient) { slots_[value.id].gradient = gradient; }

  const Table& kernels() const override { return kernels_; }
  Value rows(std::size_t count, std::size_t columns) override;
  Value linear(const Linear& linear, const Value& x, const Value* residual, const MutableRows* to) override;
  Value norm(const Norm& norm, const Value& x, const MutableRows* to) override;
  Value activate(Activation activation, const Value& x) override;
  Value multiply(const Value& a, const Value& b) override;
  Value add(const Value& a, const Value& b) override;
  void turn(const Rotary& rotary, std::span<const TokenInput> tokens, const Value& x) override;
  Value convolve(const Convolution1d& convolution, const Value& sequence, std::size_t first,
                 std::size_t count) override;

  // The rows at these indices, which must live as long as the node.
  Value gather(const Value& x, std::span<const std::size_t> indices);
  // Attention: queries, keys and values [n, heads * head_size] -> context, the same, but for the rows of the tokens apart.
  Value attend(const SelfAttention& attention, const QueriesKeysValues& of, const AttentionSetting& setting);
  // Writes these rows of the context. of.queries: theirs alone.
  void attend_apart(const SelfAttention& attention, const QueriesKeysValues& of,
                    const AttentionSetting& setting, const Value& context);

  // Runs: 0 … size() - 1 forward, then size() … 2 size() - 1 the same nodes from the last to the first, backward. The
  // gradients of what the graph gave must be there before.
  std::size_t size() const { return nodes_.size(); }
  std::size_t parts(std::size_t run) const;
  std::uint64_t part_work(std::size_t run) const;  // multiply-adds
  void prepare(std::size_t run);                   // before its parts
  void run(std::size_t run, std::size_t part, Bench& bench) const;

 private:
  enum class Kind { linear, norm, activate, multiply, add, turn, convolve, gather, attend, attend_apart };
  struct Node {
    Kind kind;
    std::size_t x = 0, b = 0, c = 0, y = 0;  // places in slots_: operands and result; 0: none
    const void* operand = nullptr;
    Activation activation = {};
    std::span<const TokenInput> tokens = {};
    std::span<const std::size_t> indices = {};
    const AttentionSetting* setting = nullptr;
    std::size_t heads = 0;
  };
  struct Slot {
    Value value;
    float* gradient;
  };

  bool is_backward(std::size_t run) const { return run >= nodes_.size(); }
  const Node& node(std::size_t run) const {
    return nodes_[is_backward(run) ? 2 * nodes_.size() - 1 - run : run];
  }
  Value place(MutableRows rows, std::size_t count, std::size_t columns, float* gradient);
  Value result(const MutableRows* to, std::size_t count, std::size_t columns);
  Node& add_node(Kind kind, const Value& x, const Value& y);
  void want_gradient(std::size_t slot);
  Value value(std::size_t slot, std::size_t first, std::size_t count) const;
  Value gradient(std::size_t slot, std::size_t first, std::size_t count) const;
  void forward(const Node& node, std::size_t part, Bench& bench) const;
  void backward(const Node& node, std::size_t part, Bench& bench) const;
  void attend_forward(const Node& node, std::size_t head, Bench& bench) const;
  void attend_backward(const Node& node, std::size_t head, Bench& bench) const;
  HeadMemory memory(const Node& node, std::size_t head) const;

  const Table& kernels_;
  std::vector<Node> nodes_;
  std::vector<Slot> slots_ = std::vector<Slot>(1);
  std::vector<Buffer> buffers_;
  std::vector<Buffer>& gradient_buffers_;
  std::size_t next_buffer_ = 0, next_gradient_ = 0;
};

}  // namespace headlight::explain
