// The parts of which families are made.
#pragma once

#include <memory>
#include <string>

#include "model/encoder.h"

namespace headlight {

// Sum of the word's, the token type's and the position's embedding, normalised (Devlin et al. 2019).
class SummedEmbeddings : public Embeddings {
 public:
  struct Sizes {
    std::size_t vocab_size, type_vocab_size, max_position_embeddings, hidden_size;
  };

  // Binds word_embeddings, token_type_embeddings, position_embeddings and LayerNorm under `name`.
  // add_positions: false where the attention knows the positions and the table in the file is not used.
  void bind(WeightMap& map, const std::string& name, const Sizes& sizes, bool add_positions, float eps);

  const EmbeddingTable& words() const { return words_; }
  void forward(const Table& kernels, std::span<const TokenInput> sequence, std::size_t first,
               std::size_t count, MutableRows out) const override;
  std::uint64_t work() const override;

 private:
  EmbeddingTable words_, types_, positions_;
  LayerNorm norm_;
};

// Names of a layer's parameters, under the layer's own.
struct LayerNames {
  std::string query, key, value, attention_output, attention_norm, intermediate, output, output_norm;
};

struct LayerSizes {
  std::size_t hidden_size, num_attention_heads, intermediate_size;
  Activation hidden_act;
  float layer_norm_eps;
};

// The layer of the original encoder: each half is added to its input, then normalised (post-LayerNorm).
//   a = LayerNorm(x + Output(context));  y = LayerNorm(a + Output(act(Intermediate(a))))
class PostNormLayer : public Layer {
 public:
  // position: the scheme that acts on the scores, or null; must live longer.
  PostNormLayer(WeightMap& map, const std::string& name, const LayerNames& names, const LayerSizes& sizes,
                const PositionScheme* position);

  std::size_t num_attention_heads() const override { return num_attention_heads_; }
  const SelfAttention& attention() const override { return attention_; }
  void project(const Table& kernels, Rows x, const Projections& out, LayerScratch& scratch) const override;
  void combine(const Table& kernels, Rows x, Rows context, MutableRows y,
               LayerScratch& scratch) const override;
  std::uint64_t queries_work() const override;
  std::uint64_t keys_values_work() const override;
  std::uint64_t combine_work() const override;

 private:
  std::size_t num_attention_heads_;
  SelfAttention attention_;
  Activation hidden_act_;
  Linear query_, key_, value_, attention_output_, intermediate_, output_;
  LayerNorm attention_norm_, output_norm_;
};

}  // namespace headlight
