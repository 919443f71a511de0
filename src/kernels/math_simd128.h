// Four-lane functions that the SIMD128 kernels share. Coefficients: scripts/kernels/fit_functions.py.
#pragma once

#include <wasm_simd128.h>

#include <cstddef>

namespace headlight::kernels {

// A vector from memory that the compiler does not turn into a constant: engines make a constant anew at each use, of several
// instructions, where a load is one and is kept.
inline v128_t load_opaque(const void* address) {
  asm("" : "+r"(address));
  return wasm_v128_load(address);
}

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

// The integer of a whole number; where it is beyond 32 bits or NaN, some integer.
inline v128_t to_i32x4(v128_t x) {
#if defined(__wasm_relaxed_simd__)
  return wasm_i32x4_relaxed_trunc_f32x4(x);
#else
  return wasm_i32x4_trunc_sat_f32x4(x);
#endif
}

// Numbers of a table, each in four lanes, as load_opaque takes them.
class Constants {
 public:
  explicit Constants(const float* table) : table_(table) { asm("" : "+r"(table_)); }
  v128_t operator[](std::size_t i) const { return wasm_v128_load32_splat(table_ + i); }

 private:
  const float* table_;
};

// Range, log2 e, ln 2 in two parts, of which the first has few enough bits that n times it is exact, the polynomial, 1.
inline constexpr float kExp[] = {-87.0f,           88.0f,
                                 1.44269504f,      0.693359375f,
                                 -2.12194440e-4f,  8.312524935e-03f,
                                 4.189011328e-02f, 1.666711447e-01f,
                                 4.999923179e-01f, 1.0f};

// c: of kExp. Greatest relative error 2e-7 on [-87, 88]; below, 1.6e-38 stands for 0. NaN stays NaN.
inline v128_t exp_f32x4(v128_t x, const Constants& c) {
  // pmax and pmin are one instruction each, and give the first operand where that is NaN.
  const v128_t clamped = wasm_f32x4_pmin(wasm_f32x4_pmax(x, c[0]), c[1]);
  const v128_t n = wasm_f32x4_nearest(wasm_f32x4_mul(clamped, c[2]));
  v128_t r = multiply_subtract(n, c[3], clamped);
  r = multiply_subtract(n, c[4], r);
  v128_t p = multiply_add(c[5], r, c[6]);
  p = multiply_add(p, r, c[7]);
  p = multiply_add(p, r, c[8]);
  const v128_t mantissa = wasm_f32x4_add(multiply_add(wasm_f32x4_mul(r, r), p, r), c[9]);
  const v128_t exponent = wasm_i32x4_shl(to_i32x4(n), 23);
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
