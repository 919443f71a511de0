// What multiplies the heads' probabilities: heads switched off, or weakened.
#pragma once

#include <vector>

#include "model/encoder.h"

namespace headlight {

class HeadMask {
 public:
  // layers: [layers][num_attention_heads] from 0 to 1, of which those of pruned heads are not read; empty: all 1. Throws
  // E_INVALID_ARGUMENT for another shape or a value out of range.
  HeadMask(const EncoderModel& model, std::vector<std::vector<float>> layers);

  // Of the heads that a layer has; empty: all 1.
  std::span<const float> of(std::size_t layer) const {
    return layers_.empty() ? std::span<const float>() : layers_[layer];
  }
  float of(std::size_t layer, std::size_t head) const { return layers_.empty() ? 1 : layers_[layer][head]; }

 private:
  std::vector<std::vector<float>> layers_;
};

}  // namespace headlight
