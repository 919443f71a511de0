#include "ops/convolution.h"

#include <algorithm>

#include "concat.h"

namespace headlight {

void Convolution1d::bind(WeightMap& map, const std::string& name, std::size_t features, std::size_t places) {
  features_ = features;
  places_ = places;
  map.add_vector(concat({name, ".weight"}), {features, features, places}, weight_);
  map.add_vector(concat({name, ".bias"}), features, bias_);
}

void Convolution1d::prepare() {
  if (weight_.empty()) return;
  const std::size_t k = features_ * places_;
  panels_ = Buffer(panels_size(features_, k));
  pack_panels({weight_.data(), k, features_}, k, panels_.data());
  weight_ = {};
}

template <typename Visit>
void Convolution1d::for_each_neighbour(std::size_t n, std::size_t first, std::size_t count,
                                       Visit visit) const {
  const std::size_t before = (places_ - 1) / 2;
  for (std::size_t t = first; t < first + count; ++t) {
    for (std::size_t place = 0; place < places_; ++place) {
      if (t + place >= before && t + place - before < n) visit(t, place, t + place - before);
    }
  }
}

void Convolution1d::forward(const kernels::Table& kernels, Rows sequence, std::size_t first,
                            std::size_t count, MutableRows y) const {
  const std::size_t k = features_ * places_;
  Buffer neighbours(count * k);
  std::fill_n(neighbours.data(), count * k, 0.0f);
  for_each_neighbour(sequence.count, first, count, [&](std::size_t t, std::size_t place, std::size_t read) {
    float* out = neighbours.data() + (t - first) * k + place;
    for (std::size_t c = 0; c < features_; ++c) out[c * places_] = sequence.row(read)[c];
  });
  kernels.gemm_f32({.a = neighbours.data(),
                    .a_stride = k,
                    .rows = count,
                    .panels = panels_.data(),
                    .k = k,
                    .columns = features_,
                    .out = y.data,
                    .out_stride = y.stride,
                    .bias = bias_.data()});
}

void Convolution1d::backward(const kernels::Table& kernels, Rows dy, MutableRows dx) const {
  const std::size_t k = features_ * places_;
  Buffer neighbours(dy.count * k);  // their gradients
  std::fill_n(neighbours.data(), dy.count * k, 0.0f);
  Buffer scratch;
  multiply_transposed(kernels, dy, {.panels = panels_.data(), .outputs = features_, .inputs = k}, 0, k,
                      {neighbours.data(), k}, scratch);
  for_each_neighbour(dy.count, 0, dy.count, [&](std::size_t t, std::size_t place, std::size_t read) {
    const float* from = neighbours.data() + t * k + place;
    for (std::size_t c = 0; c < features_; ++c) dx.row(read)[c] += from[c * places_];
  });
}

}  // namespace headlight
