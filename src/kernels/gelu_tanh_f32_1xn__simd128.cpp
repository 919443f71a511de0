#include "kernels/kernels.h"
#include "kernels/math_simd128.h"

namespace headlight::kernels {

// 1/2 (1 + tanh(u)) = 1 / (1 + exp(-2u)). Greatest error 1e-6 relative to max(1, |x|).
void gelu_tanh_f32_1xn__simd128(float* x, std::size_t n) {
  map_f32(x, n, [](v128_t v) {
    const v128_t square = wasm_f32x4_mul(v, v);
    const v128_t with_cube = multiply_add(square, wasm_f32x4_mul(v, wasm_f32x4_const_splat(0.044715f)), v);
    const v128_t u = wasm_f32x4_mul(with_cube, wasm_f32x4_const_splat(-2 * 0.7978845608f));
    return wasm_f32x4_div(v, wasm_f32x4_add(wasm_f32x4_const_splat(1.0f), exp_f32x4(u)));
  });
}

}  // namespace headlight::kernels
