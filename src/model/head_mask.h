// What multiplies the heads' probabilities: heads switched off, or weakened.
#pragma once

#include <vector>

#include "model/encoder.h"

namespace headlight {

class HeadMask {
 public:
  // values: [layers, heads] from 0 to 1, layer after layer; empty: all 1. Throws E_INVALID_ARGUMENT for another number of
  // values or one out of range.
  HeadMask(const EncoderModel& model, std::vector<float> values);

  // [heads] of a layer; empty: all 1.
  std::span<const float> of(std::size_t layer) const {
    return values_.empty() ? std::span<const float>() : std::span(values_).subspan(first_[layer]);
  }
  float of(std::size_t layer, std::size_t head) const { return values_.empty() ? 1 : of(layer)[head]; }

 private:
  std::vector<float> values_;
  std::vector<std::size_t> first_;  // of each layer's heads
};

}  // namespace headlight
