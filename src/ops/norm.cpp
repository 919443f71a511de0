#include "ops/norm.h"
#include "concat.h"

#include <cmath>

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

void Norm::backward(Rows x, Rows dy, MutableRows dx) const {
  const std::size_t size = weight_.size();
  for (std::size_t i = 0; i < x.count; ++i) {
    const float* in = x.row(i);
    const float* g = dy.row(i);
    float* out = dx.row(i);
    if (options_.kind == Kind::no_norm) {
      for (std::size_t c = 0; c < size; ++c) out[c] += g[c] * weight_[c];
      continue;
    }
    const auto n = static_cast<float>(size);
    float mean = 0, variance = 0, along = 0, sum = 0;
    for (std::size_t c = 0; c < size; ++c) mean += in[c] / n;
    for (std::size_t c = 0; c < size; ++c) {
      const float centred = in[c] - mean;
      variance += centred * centred / n;
      sum += g[c] * weight_[c] / n;
      along += g[c] * weight_[c] * centred / n;
    }
    const float inverse = 1 / std::sqrt(variance + options_.eps);
    along *= inverse * inverse;
    for (std::size_t c = 0; c < size; ++c) {
      out[c] += (g[c] * weight_[c] - sum - (in[c] - mean) * along) * inverse;
    }
  }
}

}  // namespace headlight
