#include "kernels/kernels.h"
#include "kernels/math_simd128.h"

namespace headlight::kernels {
namespace {

constexpr float kP[] = {4.555390654e-08f, 1.298078443e-05f, 3.525317515e-04f,
                        9.444795490e-03f, 6.898408098e-02f, 7.978841089e-01f};
constexpr float kQ[] = {1.208663102e-06f, 7.651020013e-05f, 1.925489532e-03f,
                        2.902787929e-02f, 2.531230072e-01f, 1.0f};
constexpr float kOthers[] = {-0.0f, 1.0f, 5.4f, 0.5f};

// Horner's scheme over six coefficients, the highest power first.
v128_t polynomial(v128_t t, const Constants& coefficients) {
  v128_t sum = coefficients[0];
#pragma unroll
  for (std::size_t i = 1; i < 6; ++i) sum = multiply_add(sum, t, coefficients[i]);
  return sum;
}

}  // namespace

// erf(x / sqrt(2)) = x * P(x^2) / Q(x^2); beyond 5.4 it is 1 or -1 to float32's last bit.
// Greatest error 1.1e-6 absolute, 2.3e-7 relative to max(1, |x|).
void gelu_f32_1xn__simd128(float* x, std::size_t n) {
  const Constants p(kP);
  const Constants q(kQ);
  const Constants c(kOthers);
  map_f32(x, n, [&](v128_t v) {
    const v128_t t = wasm_f32x4_mul(v, v);
    const v128_t inside = wasm_f32x4_div(wasm_f32x4_mul(v, polynomial(t, p)), polynomial(t, q));
    const v128_t sign = wasm_v128_or(wasm_v128_and(v, c[0]), c[1]);
    const v128_t erf = wasm_v128_bitselect(sign, inside, wasm_f32x4_gt(wasm_f32x4_abs(v), c[2]));
    const v128_t half = wasm_f32x4_mul(v, c[3]);
    return multiply_add(half, erf, half);
  });
}

}  // namespace headlight::kernels
