#include "ops/layer_norm.h"

namespace headlight {

void LayerNorm::bind(WeightMap& map, const std::string& name, std::size_t size, float eps,
                     WeightMap::Need need) {
  map.add_vector(name + ".weight", size, weight_, need);
  map.add_vector(name + ".bias", size, bias_, need);
  eps_ = eps;
}

void LayerNorm::forward(const kernels::Table& kernels, Rows x, MutableRows y) const {
  for (std::size_t i = 0; i < x.count; ++i) {
    kernels.layer_norm_f32(x.row(i), weight_.data(), bias_.data(), eps_, weight_.size(), y.row(i));
  }
}

}  // namespace headlight
