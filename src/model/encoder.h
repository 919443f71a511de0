// A model as data: embeddings, a list of layers, and a head, each an operator chosen once at load.
// A family (model/families) fills these in; the forward pass (model/forward.h) runs them and knows no family.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headlight.h"
#include "ops/activation.h"
#include "ops/attention.h"
#include "ops/buffer.h"
#include "ops/embedding.h"
#include "ops/layer_norm.h"
#include "ops/linear.h"
#include "ops/position.h"

namespace headlight {

using kernels::Table;

// One position of a sequence, padding left out.
struct TokenInput {
  std::int32_t id;
  std::int32_t type_id;
  std::size_t position;  // index into the position embeddings
};

// Turns tokens into the first hidden state.
class Embeddings {
 public:
  virtual ~Embeddings() = default;
  // Index into the position embeddings of the token at `index` of the padded input `ids`.
  virtual std::size_t position(std::span<const std::int32_t> ids, std::size_t index) const;
  // Tokens first … first + count - 1 of the sequence -> out [count, hidden_size].
  virtual void forward(const Table& kernels, std::span<const TokenInput> sequence, std::size_t first,
                       std::size_t count, MutableRows out) const = 0;
  virtual std::uint64_t work() const = 0;  // multiply-adds for one token
};

// Memory that one layer's position-wise parts need for a tile of rows.
struct LayerScratch {
  Buffer attended, intermediate;
  std::vector<std::byte> codes;  // of quantised activations
};

// One transformer layer, in the three parts between which rows meet other rows only in `attention`.
class Layer {
 public:
  virtual ~Layer() = default;
  virtual std::size_t num_attention_heads() const = 0;
  virtual const SelfAttention& attention() const = 0;

  // x [count, hidden_size] -> [count, heads * head_size] each, those that are asked for.
  struct Projections {
    const MutableRows* queries = nullptr;
    const MutableRows* keys = nullptr;
    const MutableRows* values = nullptr;
  };
  virtual void project(const Table& kernels, Rows x, const Projections& out, LayerScratch& scratch) const = 0;
  // The layer's input x and the heads' context [count, heads * head_size] -> y [count, hidden_size]; y may be x.
  virtual void combine(const Table& kernels, Rows x, Rows context, MutableRows y,
                       LayerScratch& scratch) const = 0;

  // Multiply-adds for one row.
  virtual std::uint64_t queries_work() const = 0;
  virtual std::uint64_t keys_values_work() const = 0;
  virtual std::uint64_t combine_work() const = 0;
};

// From the first token's last hidden state to one vector.
class Pooler {
 public:
  void bind(WeightMap& map, const std::string& name, std::size_t hidden_size, Activation activation,
            WeightMap::Need need);
  bool present() const { return dense_.present(); }
  std::uint64_t work() const { return dense_.work(); }
  // x [count, hidden_size] -> y [count, hidden_size].
  void forward(const Table& kernels, Rows x, MutableRows y) const;

 private:
  Linear dense_;
  Activation activation_ = Activation::tanh;
};

// From the last hidden state to logits.
class Head {
 public:
  enum class Reads { first_token, all_tokens };
  enum class Kind {
    sequence_classification,
    token_classification,
    masked_lm,
    next_sentence,
    question_answering,
  };
  virtual ~Head() = default;
  virtual Kind kind() const = 0;
  virtual Reads reads() const = 0;
  virtual std::size_t outputs() const = 0;  // logits of one row
  virtual std::uint64_t work() const = 0;   // multiply-adds for one row
  // x [count, hidden_size] -> logits [count, outputs].
  virtual void forward(const Table& kernels, Rows x, MutableRows logits) const = 0;
};

class EncoderModel {
 public:
  explicit EncoderModel(Tokenizer tokenizer) : tokenizer(std::move(tokenizer)) {}

  Tokenizer tokenizer;
  ModelInfo info;
  std::size_t type_vocab_size = 0;
  std::size_t max_positions = 0;  // of the position embeddings, in tokens
  const Table* kernels = &kernels::best();
  std::unique_ptr<Embeddings> embeddings;
  std::vector<std::shared_ptr<const PositionScheme>> positions;  // that the layers refer to
  std::vector<std::shared_ptr<const Layer>> layers;              // a shared layer stands here several times
  Pooler pooler;
  std::unique_ptr<Head> head;  // null for a bare encoder
};

}  // namespace headlight
