// SentencePiece models (protobuf), by the classes that read them.
#include "tokenizers_fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  fuzz::Input input(data, size);
  constexpr const char* kClasses[] = {"XLMRobertaTokenizer", "CamembertTokenizer", "AlbertTokenizer",
                                      "DebertaV2Tokenizer"};
  constexpr const char* kNames[] = {"sentencepiece.bpe.model", "sentencepiece.bpe.model", "spiece.model", "spm.model"};
  const std::size_t kind = input.number() % std::size(kClasses);
  const std::string config = std::string("{\"tokenizer_class\": \"") + kClasses[kind] + "\"}";
  fuzz::use_tokenizer({{"tokenizer_config.json", config}, {kNames[kind], std::string(input.rest())}});
  return 0;
}
