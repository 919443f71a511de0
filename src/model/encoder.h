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
#include "ops/embedding.h"
#include "ops/immediate.h"
#include "ops/position.h"
#include "threads/pool.h"

namespace headlight {

using kernels::Table;

// What the embeddings are told beside the tokens.
struct EmbeddingOptions {
  std::size_t task_type_id = 0;
};

// Turns tokens into the first hidden state, by way of their word embeddings:
//   words -> assembled, what the operators start from -> the output, normalised -> projected to the model's width
class Embeddings {
 public:
  virtual ~Embeddings() = default;
  // Indices into the position embeddings for each of the padded input's ids.
  virtual std::vector<std::size_t> positions(std::span<const std::int32_t> ids) const;
  virtual std::size_t first_position() const { return 0; }  // of a text's first token
  virtual std::size_t num_task_types() const { return 0; }  // 0: none are told apart

  virtual const EmbeddingTable& words() const = 0;
  virtual std::size_t assembled_size() const = 0;
  virtual std::size_t output_size() const = 0;
  // words [count, words().columns()] of the tokens -> out [count, assembled_size()]; out may be words where the sizes
  // are the same.
  virtual void assemble(std::span<const TokenInput> tokens, const EmbeddingOptions& options, Rows words,
                        MutableRows out) const = 0;
  // The vector–Jacobian product: dwords += what the gradient of the assembled rows gives.
  virtual void assemble_backward(std::span<const TokenInput> tokens, Rows assembled,
                                 MutableRows dwords) const = 0;
  // assembled [count, assembled_size()] -> [count, output_size()]
  virtual Value output(Operators& ops, const Value& assembled, std::span<const TokenInput> tokens,
                       const MutableRows* to) const = 0;
  // [count, output_size()] -> [count, hidden_size], where these differ.
  virtual bool projects() const { return false; }
  virtual Value project(Operators& ops, const Value& output, const MutableRows* to) const;

  // tokens [count] -> out [count, hidden_size].
  void forward(Operators& ops, std::span<const TokenInput> tokens, const EmbeddingOptions& options,
               MutableRows out) const;
  virtual std::uint64_t work() const = 0;  // multiply-adds for one token
};

// x [count, hidden_size] -> [count, heads * head_size] each, those that are asked for.
struct Projections {
  const MutableRows* queries = nullptr;
  const MutableRows* keys = nullptr;
  const MutableRows* values = nullptr;
};
// The same as the operators gave them; what was not asked for is not there.
struct QueriesKeysValues {
  Value queries = {}, keys = {}, values = {};
};

// Adds to a layer's output what a convolution over its input's neighbouring rows gives.
class Convolution {
 public:
  virtual ~Convolution() = default;
  virtual void prepare() = 0;
  // Rows first … first + y.count - 1 of a sequence's layer input [n, hidden_size] and of its output y, which may be
  // where the result goes.
  virtual Value forward(Operators& ops, const Value& sequence, std::size_t first, const Value& y,
                        const MutableRows* to) const = 0;
  virtual std::uint64_t work() const = 0;  // multiply-adds for one row
};

// One transformer layer, in the parts between which rows meet other rows only in `attention`.
class Layer {
 public:
  virtual ~Layer() = default;
  virtual std::size_t num_attention_heads() const = 0;
  virtual const SelfAttention& attention() const = 0;

  // tokens [count]: those of the rows x.
  virtual QueriesKeysValues project(Operators& ops, const Value& x, std::span<const TokenInput> tokens,
                                    const Projections& out) const = 0;
  // Global tokens' queries, and the keys and values that they meet, have projections of their own.
  virtual bool has_global_projections() const { return false; }
  virtual QueriesKeysValues project_global(Operators& ops, const Value& x, const Projections& out) const;
  // The layer's input x and the heads' context [count, heads * head_size] -> [count, hidden_size]; `to` may be x.
  virtual Value combine(Operators& ops, const Value& x, const Value& context,
                        const MutableRows* to) const = 0;
  // The first map of combine(), which the context goes into.
  virtual const Linear& attention_output() const = 0;
  virtual const Convolution* convolution() const { return nullptr; }

  // After the weights are there and before the first forward pass.
  virtual void prepare() {}

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
  // x [count, in_features] -> [count, out_features]
  virtual Value forward(Operators& ops, const Value& x) const = 0;
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
  // x [count, hidden_size] -> features [count, .] -> logits [count, outputs], of which each is an affine map of its row.
  virtual Value features(Operators& ops, const Value& x) const = 0;
  virtual void scores(Operators& ops, const Value& features, MutableRows logits) const = 0;
  // out [features] = the gradient of one logit by its row of features.
  virtual void copy_weights(std::size_t output, float* out) const = 0;
  void forward(Operators& ops, const Value& x, MutableRows logits) const {
    scores(ops, features(ops, x), logits);
  }
};

class EncoderModel {
 public:
  explicit EncoderModel(Tokenizer tokenizer) : tokenizer(std::move(tokenizer)) {}

  // After the weights are there: what depends on them alone is computed once.
  void prepare();
  // The numbers, from 0 to info.num_attention_heads - 1, of the heads that a layer has: all but the pruned ones.
  std::vector<std::size_t> heads_of(std::size_t layer) const;

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
