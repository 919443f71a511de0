// Declarations of all kernels; what they compute is said in table.h.
#pragma once

#include <cstddef>

#include "kernels/table.h"

namespace headlight::kernels {

void gemm_f32_6x8__scalar(const GemmF32&);
void softmax_f32_1xn__scalar(float* x, std::size_t n, float scale);
void layer_norm_f32_1xn__scalar(const float* x, const float* weight, const float* bias, float eps, std::size_t n,
                                float* out);
void gelu_f32_1xn__scalar(float* x, std::size_t n);
void gelu_tanh_f32_1xn__scalar(float* x, std::size_t n);

void gemm_f32_6x8__simd128(const GemmF32&);
void softmax_f32_1xn__simd128(float* x, std::size_t n, float scale);
void layer_norm_f32_1xn__simd128(const float* x, const float* weight, const float* bias, float eps, std::size_t n,
                                 float* out);
void gelu_f32_1xn__simd128(float* x, std::size_t n);
void gelu_tanh_f32_1xn__simd128(float* x, std::size_t n);

}  // namespace headlight::kernels
