// Normalisation of rows by their own mean and variance (layer normalisation, Ba, Kiros & Hinton 2016), or the
// elementwise affine map that MobileBERT puts in its place (Sun et al. 2020, "NoNorm").
#pragma once

#include <string>
#include <vector>

#include "ops/linear.h"

namespace headlight {

class Norm {
 public:
  enum class Kind { layer_norm, no_norm };
  struct Options {
    float eps;
    Kind kind = Kind::layer_norm;
    bool bias = true;  // false: the checkpoint has none
  };

  // Binds `name`.weight and `name`.bias [size].
  void bind(WeightMap& map, const std::string& name, std::size_t size, const Options& options);

  // x [count, size] -> y [count, size]; y may be x.
  void forward(const kernels::Table& kernels, Rows x, MutableRows y) const;

  // The vector–Jacobian product: dx [count, size] += what dy gives, where the rows x went in.
  //   dx += (g - mean(g) - n mean(g n)) / sqrt(variance + eps),  g = dy weight, n = x normalised
  void backward(Rows x, Rows dy, MutableRows dx) const;

 private:
  std::vector<float> weight_, bias_;
  Options options_{};
};

}  // namespace headlight
