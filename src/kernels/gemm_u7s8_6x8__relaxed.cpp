#include "kernels/gemm_i8_wasm.h"

namespace headlight::kernels {
namespace {

// Four values of k at a time. With the second operand below 128 no intermediate sum leaves 16 bits, so that all
// that the specification permits is the same.
struct DotU7 {
  static constexpr std::size_t kGroup = kU7Group;
  static v128_t load(const std::int8_t* panel) { return wasm_v128_load(panel); }
  static v128_t multiply_add(v128_t w, v128_t x, v128_t sum) {
    return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(w, x, sum);
  }
};

}  // namespace

// An engine that makes the instruction of several adds the products of two values in 16 bits first, and saturates them
// where the second operand is not below 128.
bool relaxed_dot_is_one_instruction() {
  volatile std::int8_t w = 127;
  volatile std::uint8_t x = 255;
  const v128_t sum = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(wasm_i8x16_splat(w), wasm_u8x16_splat(x),
                                                            wasm_i32x4_const_splat(0));
  return wasm_i32x4_extract_lane(sum, 0) != 2 * 32767;
}

void gemm_u7s8_6x8__relaxed(const GemmI8& g) { gemm_i8_wasm<TileI8<DotU7>::ForRows>(g); }

}  // namespace headlight::kernels
