// PyTorch's files, zip archives and older streams, with their pickles: read as weights of unknown shapes, then packed.
#include "fuzz.h"
#include "weights_fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  headlight::fuzz::read_weights("pytorch_model.bin", headlight::fuzz::Input(data, size));
  return 0;
}
