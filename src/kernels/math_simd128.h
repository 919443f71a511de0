// Four-lane functions that the SIMD128 kernels share. Coefficients: scripts/kernels/fit_functions.py.
#pragma once

#include <wasm_simd128.h>

#include <cstddef>

namespace headlight::kernels {

// a * b + c, in one instruction where the build has relaxed SIMD.
inline v128_t multiply_add(v128_t a, v128_t b, v128_t c) {
#if defined(__wasm_relaxed_simd__)
  return wasm_f32x4_relaxed_madd(a, b, c);
#else
  return wasm_f32x4_add(c, wasm_f32x4_mul(a, b));
#endif
}

// c - a * b, likewise.
inline v128_t multiply_subtract(v128_t a, v128_t b, v128_t c) {
#if defined(__wasm_relaxed_simd__)
  return wasm_f32x4_relaxed_nmadd(a, b, c);
#else
  return wasm_f32x4_sub(c, wasm_f32x4_mul(a, b));
#endif
}

// Greatest relative error 2e-7 on [-87, 88]; below, 1.6e-38 stands for 0. NaN stays NaN.
inline v128_t exp_f32x4(v128_t x) {
  const v128_t clamped =
      wasm_f32x4_min(wasm_f32x4_max(x, wasm_f32x4_const_splat(-87.0f)), wasm_f32x4_const_splat(88.0f));
  const v128_t n = wasm_f32x4_nearest(wasm_f32x4_mul(clamped, wasm_f32x4_const_splat(1.44269504f)));
  // ln 2 in two parts: the first has few enough bits that n times it is exact.
  v128_t r = multiply_subtract(n, wasm_f32x4_const_splat(0.693359375f), clamped);
  r = multiply_subtract(n, wasm_f32x4_const_splat(-2.12194440e-4f), r);
  v128_t c = wasm_f32x4_const_splat(8.312524935e-03f);
  c = multiply_add(c, r, wasm_f32x4_const_splat(4.189011328e-02f));
  c = multiply_add(c, r, wasm_f32x4_const_splat(1.666711447e-01f));
  c = multiply_add(c, r, wasm_f32x4_const_splat(4.999923179e-01f));
  const v128_t one = wasm_f32x4_const_splat(1.0f);
  const v128_t mantissa = wasm_f32x4_add(multiply_add(wasm_f32x4_mul(r, r), c, r), one);
  const v128_t exponent = wasm_i32x4_shl(wasm_i32x4_trunc_sat_f32x4(n), 23);
  return wasm_i32x4_add(mantissa, exponent);
}

inline float sum_f32x4(v128_t x) {
  const v128_t halves = wasm_f32x4_add(x, wasm_i32x4_shuffle(x, x, 2, 3, 0, 1));
  return wasm_f32x4_extract_lane(halves, 0) + wasm_f32x4_extract_lane(halves, 1);
}

inline float max_f32x4(v128_t x) {
  const v128_t halves = wasm_f32x4_max(x, wasm_i32x4_shuffle(x, x, 2, 3, 0, 1));
  return wasm_f32x4_extract_lane(wasm_f32x4_max(halves, wasm_i32x4_shuffle(halves, halves, 1, 0, 1, 0)), 0);
}

// Applies a four-lane function to x[0..n) in place; a remainder goes through a padded copy, so that every element
// is computed alike wherever it stands.
template <typename Function>
inline void map_f32(float* x, std::size_t n, Function function) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) wasm_v128_store(x + i, function(wasm_v128_load(x + i)));
  if (i == n) return;
  float rest[4] = {};
  for (std::size_t j = i; j < n; ++j) rest[j - i] = x[j];
  wasm_v128_store(rest, function(wasm_v128_load(rest)));
  for (std::size_t j = i; j < n; ++j) x[j] = rest[j - i];
}

}  // namespace headlight::kernels
