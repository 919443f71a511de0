#include "kernels/gemm_i8_wasm.h"

namespace headlight::kernels {
namespace {

alignas(16) constexpr std::int16_t kOnes[8] = {1, 1, 1, 1, 1, 1, 1, 1};

// Four values of k at a time, as an engine on x86-64 without VNNI makes them of the 32-bit dot product: products of two
// values added in 16 bits, then pairs of these. Only here the vector of ones stays in a register.
class DotU7By16 {
 public:
  static constexpr std::size_t kGroup = kU7Group;
  DotU7By16() : ones_(load_opaque(kOnes)) {}
  static v128_t load(const std::int8_t* panel) { return wasm_v128_load(panel); }
  v128_t multiply_add(v128_t w, v128_t x, v128_t sum) const {
    return wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(wasm_i16x8_relaxed_dot_i8x16_i7x16(w, x), ones_));
  }

 private:
  v128_t ones_;
};

}  // namespace

void gemm_u7s8_6x8__relaxed16(const GemmI8& g) { gemm_i8_wasm<DotU7By16>(g); }

}  // namespace headlight::kernels
