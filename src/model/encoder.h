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
#include "ops/attention.h"
#include "ops/buffer.h"
#include "ops/position.h"
#include "threads/pool.h"

namespace headlight {

using kernels::Table;

// One position of a sequence, padding left out.
struct TokenInput {
  std::int32_t id;
  std::int32_t type_id;
  std::int32_t previous_id;  // of the padded input; -1 at its ends
  std::int32_t next_id;
  std::size_t position;  // index into the position embeddings
};

// What the embeddings are told beside the tokens.
struct EmbeddingOptions {
  std::size_t task_type_id = 0;
};

// Turns tokens into the first hidden state.
class Embeddings {
 public:
  virtual ~Embeddings() = default;
  // Indices into the position embeddings for each of the padded input's ids.
  virtual std::vector<std::size_t> positions(std::span<const std::int32_t> ids) const;
  virtual std::size_t first_position() const { return 0; }  // of a text's first token
  virtual std::size_t num_task_types() const { return 0; }  // 0: none are told apart
  // tokens [count] -> out [count, hidden_size].
  virtual void forward(const Table& kernels, std::span<const TokenInput> tokens,
                       const EmbeddingOptions& options, MutableRows out) const = 0;
  virtual std::uint64_t work() const = 0;  // multiply-adds for one token
};

// Memory that one layer's position-wise parts need for a tile of rows.
struct LayerScratch {
  Buffer reduced, attended, intermediate;
  std::vector<std::byte> codes;  // of quantised activations
};

// x [count, hidden_size] -> [count, heads * head_size] each, those that are asked for.
struct Projections {
  const MutableRows* queries = nullptr;
  const MutableRows* keys = nullptr;
  const MutableRows* values = nullptr;
};

// Adds to a layer's output what a convolution over its input's neighbouring rows gives.
class Convolution {
 public:
  virtual ~Convolution() = default;
  virtual void prepare(const Table& kernels) = 0;  // as Layer's
  // Rows first … first + count - 1 of a sequence's layer input [n, hidden_size] and of its output y, in place.
  virtual void forward(const Table& kernels, Rows sequence, std::size_t first, std::size_t count,
                       MutableRows y) const = 0;
  virtual std::uint64_t work() const = 0;  // multiply-adds for one row
};

// One transformer layer, in the parts between which rows meet other rows only in `attention`.
class Layer {
 public:
  virtual ~Layer() = default;
  virtual std::size_t num_attention_heads() const = 0;
  virtual const SelfAttention& attention() const = 0;

  // tokens [count]: those of the rows x.
  virtual void project(const Table& kernels, Rows x, std::span<const TokenInput> tokens,
                       const Projections& out, LayerScratch& scratch) const = 0;
  // Global tokens' queries, and the keys and values that they meet, have projections of their own.
  virtual bool has_global_projections() const { return false; }
  virtual void project_global(const Table& kernels, Rows x, const Projections& out,
                              LayerScratch& scratch) const;
  // The layer's input x and the heads' context [count, heads * head_size] -> y [count, hidden_size]; y may be x.
  virtual void combine(const Table& kernels, Rows x, Rows context, MutableRows y,
                       LayerScratch& scratch) const = 0;
  virtual const Convolution* convolution() const { return nullptr; }

  // After the weights are there and before the first forward pass.
  virtual void prepare(const Table&) {}

  // Multiply-adds for one row.
  virtual std::uint64_t queries_work() const = 0;
  virtual std::uint64_t keys_values_work() const = 0;
  virtual std::uint64_t combine_work() const = 0;
};

// Which tokens see, and are seen by, all others, where a model's attention is a window.
class GlobalTokens {
 public:
  virtual ~GlobalTokens() = default;
  // ids [n], without padding -> positions, ascending.
  virtual std::vector<std::size_t> choose(std::span<const TokenInput> tokens) const = 0;
};

// A step of a head: rows to rows.
class Transform {
 public:
  virtual ~Transform() = default;
  virtual std::size_t out_features() const = 0;
  virtual bool present() const { return true; }  // its weights were in the checkpoint
  virtual std::uint64_t work() const = 0;        // multiply-adds for one row
  // x [count, in_features] -> y [count, out_features]; y does not overlap x.
  virtual void forward(const Table& kernels, Rows x, MutableRows y) const = 0;
};

// From the last hidden state to logits.
class Head {
 public:
  enum class Reads { first_token, mean_token, all_tokens };  // mean_token: the mean of all
  enum class Kind {
    sequence_classification,
    token_classification,
    masked_lm,
    next_sentence,
    question_answering,
    replaced_token_detection,
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

  // After the weights are there: what depends on them alone is computed once.
  void prepare();

  Tokenizer tokenizer;
  ModelInfo info;
  std::size_t type_vocab_size = 0;
  std::size_t max_positions =
      0;  // rows of the position embeddings, or as many positions as the attention knows
  const Table* kernels = &kernels::best();
  std::unique_ptr<Pool> pool = std::make_unique<Pool>(1);
  std::unique_ptr<Embeddings> embeddings;
  std::vector<std::shared_ptr<void>> shared;               // what the layers refer to
  std::vector<std::shared_ptr<PositionScheme>> positions;  // that the layers refer to
  std::vector<std::shared_ptr<Layer>> layers;              // a shared layer stands here several times
  std::unique_ptr<GlobalTokens> global_tokens;             // null: there are none
  std::shared_ptr<const Transform> pooler;                 // null: the architecture has none
  std::unique_ptr<Head> head;                              // null for a bare encoder
};

}  // namespace headlight
