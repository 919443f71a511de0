// What a forward pass keeps of attention: which layers and heads, and their places in the results.
#pragma once

#include <optional>
#include <vector>

#include "headlight.h"
#include "model/encoder.h"

namespace headlight {

class KeptAttention {
 public:
  // Throws E_INVALID_ARGUMENT for layers and heads that the model lacks or that are named twice.
  KeptAttention(const EncoderModel& model, const ForwardOptions& options);

  // Makes room in the result of a sequence. shape must be that of the later calls.
  void allocate(const EncoderModel& model, const SequenceShape& shape, ForwardResult& result) const;

  // Whether anything of the layer is kept.
  bool keeps(std::size_t layer) const { return layers_[layer].has_value(); }
  bool keeps_projections(std::size_t layer) const { return keeps(layer) && options_.queries_keys_values; }
  // Where one head's probabilities go; nothing in it where they are not kept.
  std::optional<KeptProbabilities> probabilities(std::size_t layer, std::size_t head, std::size_t n,
                                                 ForwardResult& result) const;
  // Copies a sequence's projections [n, heads * head_size] of a layer into the result.
  void keep_projections(std::size_t layer, std::size_t head_size, const Rows& queries, const Rows& keys,
                        const Rows& values, ForwardResult& result) const;

 private:
  // Results' places of a layer; heads: the result's index of each of the layer's, or none.
  struct Kept {
    std::size_t slot;
    std::vector<std::optional<std::size_t>> heads;
    std::size_t head_count;
  };
  std::size_t rows(std::size_t n) const {
    return options_.attention_queries.empty() ? n : options_.attention_queries.size();
  }

  const ForwardOptions& options_;
  std::vector<std::optional<Kept>> layers_;
};

Tensor make_tensor(std::vector<std::size_t> shape);

}  // namespace headlight
