// Layer normalisation (Ba, Kiros & Hinton 2016).
#pragma once

#include <string>
#include <vector>

#include "ops/linear.h"

namespace headlight {

class LayerNorm {
 public:
  void bind(WeightMap& map, const std::string& name, std::size_t size, float eps,
            WeightMap::Need need = WeightMap::Need::required);

  // x [count, size] -> y [count, size]; y may be x.
  void forward(const kernels::Table& kernels, Rows x, MutableRows y) const;

 private:
  std::vector<float> weight_, bias_;
  float eps_ = 0;
};

}  // namespace headlight
