#include "kernels/table.h"

#include <array>

#include "kernels/kernels.h"

namespace headlight::kernels {
namespace {

#if defined(__wasm_relaxed_simd__)
constexpr std::string_view kSimdName = "relaxed";
constexpr std::size_t kGroup = kU7Group;
constexpr auto kScalarGemmI8 = gemm_u7s8_6x8__scalar;
constexpr auto kScalarQuantise = quantise_u7_1xn__scalar;
constexpr auto kScalarDequantise = dequantise_s8_4x8__scalar;
constexpr auto kSimdGemmI8 = gemm_u7s8_6x8__relaxed;
constexpr auto kSimdQuantise = quantise_u7_1xn__simd128;
constexpr auto kSimdDequantise = dequantise_s8_4x8__simd128;
#else
constexpr std::size_t kGroup = kS16Group;
constexpr auto kScalarGemmI8 = gemm_s16s8_6x8__scalar;
constexpr auto kScalarQuantise = quantise_s16_1xn__scalar;
constexpr auto kScalarDequantise = dequantise_s8_2x8__scalar;
#if defined(__wasm_simd128__)
constexpr std::string_view kSimdName = "simd128";
constexpr auto kSimdGemmI8 = gemm_s16s8_6x8__simd128;
constexpr auto kSimdQuantise = quantise_s16_1xn__simd128;
constexpr auto kSimdDequantise = dequantise_s8_2x8__simd128;
#endif
#endif

constexpr Table kScalar{
    .isa = "scalar",
    .gemm_f32 = gemm_f32_6x8__scalar,
    .gemm_i8 = kScalarGemmI8,
    .quantise_i8 = kScalarQuantise,
    .i8_group = kGroup,
    .note_i8 = nullptr,
    .dequantise_i8 = kScalarDequantise,
    .softmax_f32 = softmax_f32_1xn__scalar,
    .layer_norm_f32 = layer_norm_f32_1xn__scalar,
    .gelu_f32 = gelu_f32_1xn__scalar,
    .gelu_tanh_f32 = gelu_tanh_f32_1xn__scalar,
    .transpose_f32 = transpose_f32_8x8__scalar,
};

#if defined(__wasm_simd128__)
constexpr Table kSimd{
    .isa = kSimdName,
    .gemm_f32 = gemm_f32_6x8__simd128,
    .gemm_i8 = kSimdGemmI8,
    .quantise_i8 = kSimdQuantise,
    .i8_group = kGroup,
    .note_i8 = nullptr,
    .dequantise_i8 = kSimdDequantise,
    .softmax_f32 = softmax_f32_1xn__simd128,
    .layer_norm_f32 = layer_norm_f32_1xn__simd128,
    .gelu_f32 = gelu_f32_1xn__simd128,
    .gelu_tanh_f32 = gelu_tanh_f32_1xn__simd128,
    .transpose_f32 = transpose_f32_8x8__simd128,
};
#endif

#if defined(__wasm_relaxed_simd__)
constexpr Table kSimd16 = [] {
  Table table = kSimd;
  table.isa = "relaxed16";
  table.gemm_i8 = gemm_u7s8_6x8__relaxed16;
  table.note_i8 = note_u7s8__relaxed16;
  return table;
}();
constexpr std::array kAll{&kScalar, &kSimd, &kSimd16};
const Table& fastest() { return relaxed_dot_is_one_instruction() ? kSimd : kSimd16; }
#elif defined(__wasm_simd128__)
constexpr std::array kAll{&kScalar, &kSimd};
const Table& fastest() { return kSimd; }
#else
constexpr std::array kAll{&kScalar};
const Table& fastest() { return kScalar; }
#endif

}  // namespace

const Table& scalar() { return kScalar; }
const Table& best() {
  static const Table& table = fastest();
  return table;
}
std::span<const Table* const> all() { return kAll; }

}  // namespace headlight::kernels
