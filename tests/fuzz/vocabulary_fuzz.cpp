// The older files: vocab.txt, or vocab.json and merges.txt, with added_tokens.json and tokenizer_config.json. Files are
// parted by 0 bytes.
#include "tokenizers_fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  fuzz::Input input(data, size);
  std::vector<File> files;
  if (input.number() % 2 == 0) {
    files.push_back({"vocab.txt", input.until('\0')});
  } else {
    files.push_back({"vocab.json", input.until('\0')});
    files.push_back({"merges.txt", input.until('\0')});
  }
  for (const char* name : {"tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"}) {
    if (input.rest().empty()) break;
    files.push_back({name, input.until('\0')});
  }
  fuzz::use_tokenizer(files);
  return 0;
}
