// tokenizer.json: any tokenizer that loads, on some texts.
#include "tokenizers_fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  headlight::fuzz::use_tokenizer(
      {{"tokenizer.json", std::string(headlight::fuzz::Input(data, size).rest())}});
  return 0;
}
