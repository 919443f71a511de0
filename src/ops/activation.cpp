#include "ops/activation.h"

#include <algorithm>
#include <cmath>

namespace headlight {

std::optional<Activation> activation_from_name(std::string_view name) {
  if (name == "gelu") return Activation::gelu;
  if (name == "gelu_new" || name == "gelu_pytorch_tanh") return Activation::gelu_tanh;
  if (name == "relu") return Activation::relu;
  if (name == "silu" || name == "swish") return Activation::silu;
  if (name == "tanh") return Activation::tanh;
  return std::nullopt;
}

void apply(Activation activation, const kernels::Table& kernels, float* x, std::size_t n) {
  switch (activation) {
    case Activation::gelu:
      return kernels.gelu_f32(x, n);
    case Activation::gelu_tanh:
      return kernels.gelu_tanh_f32(x, n);
    case Activation::relu:
      std::transform(x, x + n, x, [](float v) { return v < 0 ? 0.0f : v; });
      return;
    case Activation::silu:
      std::transform(x, x + n, x, [](float v) { return v / (1 + std::exp(-v)); });
      return;
    case Activation::tanh:
      std::transform(x, x + n, x, [](float v) { return std::tanh(v); });
      return;
  }
}

}  // namespace headlight
