// Rotary position embeddings (Su et al. 2021): pairs of features are turned by an angle that grows with the position.
//   (x, y) -> (x cos a - y sin a, y cos a + x sin a),  a = position * theta^(-2 k / head_size) for pair k
#pragma once

#include <cstddef>
#include <vector>

namespace headlight {

class Rotary {
 public:
  // interleaved: features (2k, 2k + 1) are a pair, as RoFormer has it; halves: (k, k + head_size / 2), as ModernBERT.
  enum class Pairs { interleaved, halves };

  // head_size is even. Positions 0 … max_positions - 1.
  Rotary(std::size_t head_size, std::size_t max_positions, double theta, Pairs pairs);

  // Turns each head of a row [size], in place; size is a multiple of head_size.
  void forward(std::size_t position, std::size_t size, float* row) const { turn(position, size, row, 1); }
  // The vector–Jacobian product: turns the gradient back, in place.
  void backward(std::size_t position, std::size_t size, float* row) const { turn(position, size, row, -1); }

 private:
  void turn(std::size_t position, std::size_t size, float* row, float direction) const;

  std::size_t head_size_;
  Pairs pairs_;
  std::vector<float> turns_;  // [max_positions][head_size / 2][cos, sin]
};

}  // namespace headlight
