// A convolution over the rows of a sequence (PyTorch's Conv1d with as much padding as keeps the length).
#pragma once

#include <string>
#include <vector>

#include "ops/buffer.h"
#include "ops/linear.h"

namespace headlight {

//   y[t] = b + sum_place W[:, :, place] x[t + place - (places - 1) / 2],  0 beyond the ends
class Convolution1d {
 public:
  // Binds `name`.weight [features, features, places] and `name`.bias; places is odd.
  void bind(WeightMap& map, const std::string& name, std::size_t features, std::size_t places);
  void prepare();

  std::size_t features() const { return features_; }
  std::uint64_t work() const { return static_cast<std::uint64_t>(features_) * features_ * places_; }

  // y [count, features]: rows first … first + count - 1.
  void forward(const kernels::Table& kernels, Rows sequence, std::size_t first, std::size_t count,
               MutableRows y) const;
  // The vector–Jacobian product: dx [n, features] += what dy [n, features] of the whole sequence gives.
  void backward(const kernels::Table& kernels, Rows dy, MutableRows dx) const;

 private:
  // Calls visit(row t, place, the row of the sequence that it reads) for each that lies within it.
  template <typename Visit>
  void for_each_neighbour(std::size_t n, std::size_t first, std::size_t count, Visit visit) const;

  std::size_t features_ = 0, places_ = 0;
  std::vector<float> weight_;  // until it is packed
  std::vector<float> bias_;
  Buffer
      panels_;  // the inputs of one output are features, each over the places: a matrix [features, features * places]
};

}  // namespace headlight
