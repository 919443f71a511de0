// Elementwise activation functions, by their Hugging Face names.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "kernels/table.h"

namespace headlight {

enum class Activation { gelu, gelu_tanh, relu, silu, tanh };

// "gelu", "gelu_python"; "gelu_new", "gelu_pytorch_tanh", "gelu_fast", "gelu_accurate"; "relu"; "silu", "swish"; "tanh".
std::optional<Activation> activation_from_name(std::string_view name);

// x [n], in place.
void apply(Activation activation, const kernels::Table& kernels, float* x, std::size_t n);

// The vector–Jacobian product: dx [n] += dy times the derivative at x, where y is what apply() made of x.
void apply_backward(Activation activation, const float* x, const float* y, const float* dy, std::size_t n,
                    float* dx);

}  // namespace headlight
