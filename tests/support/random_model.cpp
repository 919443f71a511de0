#include "support/random_model.h"

#include <random>

#include "headlight.h"
#include "model/families/families.h"
#include "support/files.h"
#include "support/random_bert.h"
#include "support/tensor_file.h"

namespace headlight::test {

void write_random_model(const std::filesystem::path& folder, const nlohmann::json& config,
                        std::uint32_t seed) {
  write_small_files(folder, config);
  const File files[] = {{"vocab.txt", read_file(folder / "vocab.txt")},
                        {"tokenizer_config.json", read_file(folder / "tokenizer_config.json")}};
  EncoderModel model(Tokenizer::from_files(files));
  WeightMap map(*model.kernels);
  const ConfigFile parsed = ConfigFile::parse(config.dump());
  find_family(parsed.text_or("model_type", "")).build(parsed, model, map);

  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Tensors tensors;
  for (const auto& [name, shape, need] : map.wanted()) {
    Tensor& tensor = tensors[std::string(name)];
    tensor.shape.assign(shape.begin(), shape.end());
    std::size_t size = 1;
    for (const std::size_t dimension : shape) size *= dimension;
    const bool gain = shape.size() == 1 && name.ends_with("weight");
    const float spread = 1 / std::sqrt(static_cast<float>(shape.back()));
    for (std::size_t i = 0; i < size; ++i)
      tensor.data.push_back((gain ? 1.0f : 0.0f) + spread * normal(random));
  }
  write_tensors(folder / "model.safetensors", tensors);
}

}  // namespace headlight::test
