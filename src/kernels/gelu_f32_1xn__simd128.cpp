#include "kernels/kernels.h"
#include "kernels/math_simd128.h"

namespace headlight::kernels {
namespace {

// erf(x / sqrt(2)) = x * P(x^2) / Q(x^2); beyond 5.4 it is 1 or -1 to float32's last bit.
v128_t erf_of_x_over_sqrt2(v128_t x) {
  const v128_t t = wasm_f32x4_mul(x, x);
  v128_t p = wasm_f32x4_const_splat(4.555390654e-08f);
  p = multiply_add(p, t, wasm_f32x4_const_splat(1.298078443e-05f));
  p = multiply_add(p, t, wasm_f32x4_const_splat(3.525317515e-04f));
  p = multiply_add(p, t, wasm_f32x4_const_splat(9.444795490e-03f));
  p = multiply_add(p, t, wasm_f32x4_const_splat(6.898408098e-02f));
  p = multiply_add(p, t, wasm_f32x4_const_splat(7.978841089e-01f));
  v128_t q = wasm_f32x4_const_splat(1.208663102e-06f);
  q = multiply_add(q, t, wasm_f32x4_const_splat(7.651020013e-05f));
  q = multiply_add(q, t, wasm_f32x4_const_splat(1.925489532e-03f));
  q = multiply_add(q, t, wasm_f32x4_const_splat(2.902787929e-02f));
  q = multiply_add(q, t, wasm_f32x4_const_splat(2.531230072e-01f));
  q = multiply_add(q, t, wasm_f32x4_const_splat(1.0f));
  const v128_t inside = wasm_f32x4_div(wasm_f32x4_mul(x, p), q);
  const v128_t sign =
      wasm_v128_or(wasm_v128_and(x, wasm_f32x4_const_splat(-0.0f)), wasm_f32x4_const_splat(1.0f));
  const v128_t beyond = wasm_f32x4_gt(wasm_f32x4_abs(x), wasm_f32x4_const_splat(5.4f));
  return wasm_v128_bitselect(sign, inside, beyond);
}

}  // namespace

// Greatest error 1.1e-6 absolute, 2.3e-7 relative to max(1, |x|).
void gelu_f32_1xn__simd128(float* x, std::size_t n) {
  map_f32(x, n, [](v128_t v) {
    const v128_t half = wasm_f32x4_mul(v, wasm_f32x4_const_splat(0.5f));
    return multiply_add(half, erf_of_x_over_sqrt2(v), half);
  });
}

}  // namespace headlight::kernels
