// safetensors files: read as weights of unknown shapes, then packed.
#include "fuzz.h"
#include "weights_fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  headlight::fuzz::read_weights("model.safetensors", headlight::fuzz::Input(data, size));
  return 0;
}
