#include "kernels/gemm_i8_scalar.h"

namespace headlight::kernels {

void gemm_s16s8_6x8__scalar(const GemmI8& g) { gemm_i8_scalar<std::int16_t, kS16Group>(g); }

}  // namespace headlight::kernels
