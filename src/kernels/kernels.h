// Declarations of all kernels; what they compute is said in table.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/table.h"

namespace headlight::kernels {

// float32
void gemm_f32_6x8__scalar(const GemmF32&);
void gemm_f32_6x8__simd128(const GemmF32&);

// int8 weights. s16: activations of 13 bits, the most whose sums fit 32 bits. u7: unsigned activations of 7 bits, for which
// every result that relaxed SIMD's dot product may give is the same.
inline constexpr std::size_t kS16Group = 2;
inline constexpr std::size_t kU7Group = 4;
void gemm_s16s8_6x8__scalar(const GemmI8&);
void gemm_s16s8_6x8__simd128(const GemmI8&);
void gemm_u7s8_6x8__scalar(const GemmI8&);
void gemm_u7s8_6x8__relaxed(const GemmI8&);
void gemm_u7s8_6x8__relaxed16(const GemmI8&);
// For each panel the place in this list of its own one: the pairs of groups, ascending, whose products by some activations
// add up to more than 16 bits; then the number of all pairs.
std::vector<std::uint32_t> note_u7s8__relaxed16(const std::int8_t* panels, std::size_t panel_count,
                                                std::size_t groups);
// Whether the 32-bit dot product is one instruction of the processor; else gemm_u7s8_6x8__relaxed16 is faster.
bool relaxed_dot_is_one_instruction();
RowQuantisation quantise_s16_1xn__scalar(const float* x, std::size_t k, std::byte* codes);
RowQuantisation quantise_s16_1xn__simd128(const float* x, std::size_t k, std::byte* codes);
RowQuantisation quantise_u7_1xn__scalar(const float* x, std::size_t k, std::byte* codes);
RowQuantisation quantise_u7_1xn__simd128(const float* x, std::size_t k, std::byte* codes);

void dequantise_s8_2x8__scalar(const std::int8_t* codes, const float* scales, std::size_t groups, float* out);
void dequantise_s8_2x8__simd128(const std::int8_t* codes, const float* scales, std::size_t groups,
                                float* out);
void dequantise_s8_4x8__scalar(const std::int8_t* codes, const float* scales, std::size_t groups, float* out);
void dequantise_s8_4x8__simd128(const std::int8_t* codes, const float* scales, std::size_t groups,
                                float* out);

// Greatest s16 code for sums over k: 4095, or less where k products of it with 127 would leave 32 bits.
float s16_limit(std::size_t k);

// Layouts
void transpose_f32_8x8__scalar(const float* from, std::size_t stride, std::size_t count, float* out);
void transpose_f32_8x8__simd128(const float* from, std::size_t stride, std::size_t count, float* out);

// Functions of a row
void softmax_f32_1xn__scalar(float* x, std::size_t n, float scale);
void layer_norm_f32_1xn__scalar(const float* x, const float* weight, const float* bias, float eps,
                                std::size_t n, float* out);
void gelu_f32_1xn__scalar(float* x, std::size_t n);
void gelu_tanh_f32_1xn__scalar(float* x, std::size_t n);
void softmax_f32_1xn__simd128(float* x, std::size_t n, float scale);
void layer_norm_f32_1xn__simd128(const float* x, const float* weight, const float* bias, float eps,
                                 std::size_t n, float* out);
void gelu_f32_1xn__simd128(float* x, std::size_t n);
void gelu_tanh_f32_1xn__simd128(float* x, std::size_t n);

}  // namespace headlight::kernels
