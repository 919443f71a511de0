// config.json, of a model whose weights are an empty file.
#include "fuzz.h"

namespace {

constexpr std::string_view kVocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n";
constexpr std::string_view kNoTensors("\2\0\0\0\0\0\0\0{}", 10);

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  fuzz::allow_errors([&] {
    ModelLoader loader;
    loader.add_file({"config.json", std::string(fuzz::Input(data, size).rest())});
    loader.add_file({"vocab.txt", std::string(kVocabulary)});
    const auto files = loader.weight_files({}, {});
    loader.begin_weights(files.at(0), kNoTensors.size());
    loader.feed(std::as_bytes(std::span(kNoTensors)));
    loader.end_weights();
    loader.finish();
  });
  return 0;
}
