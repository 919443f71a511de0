// The heads of the families: from the last hidden state to logits.
#pragma once

#include <string>

#include "model/encoder.h"

namespace headlight {

// An affine map of each row, of the first token's or of all: token classification, question answering, and sequence
// classification and next sentence over a pooler.
class LinearHead : public Head {
 public:
  // pooler: applied before, for heads over the first token; may be null; must live longer.
  LinearHead(WeightMap& map, Kind kind, const std::string& name, std::size_t hidden_size, std::size_t outputs,
             const Pooler* pooler);

  Kind kind() const override { return kind_; }
  Reads reads() const override;
  std::size_t outputs() const override { return linear_.out_features(); }
  std::uint64_t work() const override;
  void forward(const Table& kernels, Rows x, MutableRows logits) const override;

 private:
  Kind kind_;
  Linear linear_;
  const Pooler* pooler_;
};

// Masked language model: dense, activation, LayerNorm, then scores against each word's embedding (tied weights).
class MaskedLmHead : public Head {
 public:
  struct Names {
    std::string dense, norm, bias;
  };
  // words: the embeddings' table, read in place; must live longer.
  MaskedLmHead(WeightMap& map, const Names& names, std::size_t hidden_size, std::size_t vocab_size,
               Activation activation, float eps, const EmbeddingTable& words);

  Kind kind() const override { return Kind::masked_lm; }
  Reads reads() const override { return Reads::all_tokens; }
  std::size_t outputs() const override { return vocab_size_; }
  std::uint64_t work() const override;
  void forward(const Table& kernels, Rows x, MutableRows logits) const override;

 private:
  Linear dense_;
  Activation activation_;
  LayerNorm norm_;
  std::vector<float> bias_;
  const EmbeddingTable& words_;
  std::size_t vocab_size_;
};

}  // namespace headlight
