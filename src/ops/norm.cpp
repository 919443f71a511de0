#include "ops/norm.h"
#include "concat.h"

namespace headlight {

void Norm::bind(WeightMap& map, const std::string& name, std::size_t size, const Options& options) {
  options_ = options;
  map.add_vector(concat({name, ".weight"}), size, weight_);
  if (options.bias) {
    map.add_vector(concat({name, ".bias"}), size, bias_);
  } else {
    bias_.assign(size, 0.0f);
  }
}

void Norm::forward(const kernels::Table& kernels, Rows x, MutableRows y) const {
  const std::size_t size = weight_.size();
  for (std::size_t i = 0; i < x.count; ++i) {
    if (options_.kind == Kind::layer_norm) {
      kernels.layer_norm_f32(x.row(i), weight_.data(), bias_.data(), options_.eps, size, y.row(i));
    } else {
      for (std::size_t c = 0; c < size; ++c) y.row(i)[c] = x.row(i)[c] * weight_[c] + bias_[c];
    }
  }
}

}  // namespace headlight
