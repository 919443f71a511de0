#include "kernels/dequantise_scalar.h"

namespace headlight::kernels {

void dequantise_s8_2x8__scalar(const std::int8_t* codes, const float* scales, std::size_t groups,
                               float* out) {
  dequantise_scalar<kS16Group>(codes, scales, groups, out);
}

}  // namespace headlight::kernels
