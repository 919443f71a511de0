#include "ops/activation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight {
namespace {

// The normal distribution's function, from x and gelu(x) = x times it: a division instead of an error function.
float normal_distribution(float x, float gelu) {
  constexpr float kDensity = std::numbers::inv_sqrtpi_v<float> / std::numbers::sqrt2_v<float>;  // at 0
  return std::abs(x) > 0.06f ? gelu / x : 0.5f + kDensity * x * (1 - x * x / 6);
}

float derivative(Activation activation, float x, float y) {
  switch (activation) {
    case Activation::gelu: {
      constexpr float kDensity = std::numbers::inv_sqrtpi_v<float> / std::numbers::sqrt2_v<float>;
      return normal_distribution(x, y) + x * kDensity * std::exp(-0.5f * x * x);
    }
    case Activation::gelu_tanh: {
      constexpr float kSqrt2OverPi = 0.7978845608f;
      const float t = std::tanh(kSqrt2OverPi * (x + 0.044715f * x * x * x));
      return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * kSqrt2OverPi * (1 + 3 * 0.044715f * x * x);
    }
    case Activation::relu:
      return x > 0 ? 1.0f : 0.0f;
    case Activation::silu: {
      const float sigmoid = 1 / (1 + std::exp(-x));
      return sigmoid + y * (1 - sigmoid);
    }
    default:  // tanh
      return 1 - y * y;
  }
}

}  // namespace

std::optional<Activation> activation_from_name(std::string_view name) {
  if (name == "gelu" || name == "gelu_python") return Activation::gelu;
  for (const std::string_view form : {"gelu_new", "gelu_pytorch_tanh", "gelu_fast", "gelu_accurate"}) {
    if (name == form) return Activation::gelu_tanh;
  }
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

void apply_backward(Activation activation, const float* x, const float* y, const float* dy, std::size_t n,
                    float* dx) {
  for (std::size_t i = 0; i < n; ++i) dx[i] += dy[i] * derivative(activation, x[i], y[i]);
}

}  // namespace headlight
