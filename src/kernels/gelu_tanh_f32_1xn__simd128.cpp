#include "kernels/kernels.h"
#include "kernels/math_simd128.h"

namespace headlight::kernels {
namespace {

constexpr float kCubic[] = {0.044715f, -2 * 0.7978845608f, 1.0f};

}  // namespace

// 1/2 (1 + tanh(u)) = 1 / (1 + exp(-2u)). Greatest error 1e-6 relative to max(1, |x|).
void gelu_tanh_f32_1xn__simd128(float* x, std::size_t n) {
  const Constants c(kCubic);
  const Constants exp(kExp);
  map_f32(x, n, [&](v128_t v) {
    const v128_t with_cube = multiply_add(wasm_f32x4_mul(v, v), wasm_f32x4_mul(v, c[0]), v);
    const v128_t u = wasm_f32x4_mul(with_cube, c[1]);
    return wasm_f32x4_div(v, wasm_f32x4_add(c[2], exp_f32x4(u, exp)));
  });
}

}  // namespace headlight::kernels
