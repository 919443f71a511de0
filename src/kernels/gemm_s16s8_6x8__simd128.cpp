#include "kernels/gemm_i8_wasm.h"

namespace headlight::kernels {
namespace {

// Two values of k at a time: products of 16 bits, pairs added to 32.
struct DotS16 {
  static constexpr std::size_t kGroup = kS16Group;
  static v128_t load(const std::int8_t* panel) { return wasm_i16x8_load8x8(panel); }
  static v128_t multiply_add(v128_t w, v128_t x, v128_t sum) {
    return wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(w, x));
  }
};

}  // namespace

void gemm_s16s8_6x8__simd128(const GemmI8& g) { gemm_i8_wasm<TileI8<DotS16>::ForRows>(g); }

}  // namespace headlight::kernels
