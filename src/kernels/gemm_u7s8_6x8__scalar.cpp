#include "kernels/gemm_i8_scalar.h"

namespace headlight::kernels {

void gemm_u7s8_6x8__scalar(const GemmI8& g) { gemm_i8_scalar<std::uint8_t, kU7Group>(g); }

}  // namespace headlight::kernels
