#include "kernels/table.h"

#include <array>

#include "kernels/kernels.h"

namespace headlight::kernels {
namespace {

constexpr Table kScalar{
    .isa = "scalar",
    .gemm_f32 = gemm_f32_6x8__scalar,
    .softmax_f32 = softmax_f32_1xn__scalar,
    .layer_norm_f32 = layer_norm_f32_1xn__scalar,
    .gelu_f32 = gelu_f32_1xn__scalar,
    .gelu_tanh_f32 = gelu_tanh_f32_1xn__scalar,
};

#if defined(__wasm_simd128__)
constexpr Table kSimd128{
    .isa = "simd128",
    .gemm_f32 = gemm_f32_6x8__simd128,
    .softmax_f32 = softmax_f32_1xn__simd128,
    .layer_norm_f32 = layer_norm_f32_1xn__simd128,
    .gelu_f32 = gelu_f32_1xn__simd128,
    .gelu_tanh_f32 = gelu_tanh_f32_1xn__simd128,
};
constexpr std::array kAll{&kScalar, &kSimd128};
#else
constexpr std::array kAll{&kScalar};
#endif

}  // namespace

const Table& scalar() { return kScalar; }
const Table& best() { return *kAll.back(); }
std::span<const Table* const> all() { return kAll; }

}  // namespace headlight::kernels
