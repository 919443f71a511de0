#include "support/encoder.h"

#include "model/config.h"
#include "model/families/families.h"
#include "support/files.h"
#include "support/tensor_file.h"
#include "weights/weight_map.h"

namespace headlight::test {

std::unique_ptr<EncoderModel> load_encoder(const std::filesystem::path& folder) {
  std::vector<File> files;
  for (const std::string& name : ModelLoader::small_files()) {
    if (std::filesystem::exists(folder / name)) files.push_back({name, read_file(folder / name)});
  }
  auto model = std::make_unique<EncoderModel>(Tokenizer::from_files(files));
  WeightMap map(*model->kernels);
  const ConfigFile config = ConfigFile::parse(read_file(folder / "config.json"));
  find_family(config.text_or("model_type", "")).build(config, *model, map);
  if (model->head && model->head->kind() == Head::Kind::sequence_classification) {
    model->info.labels = config.labels();
  }
  for (const auto& [name, tensor] : read_tensors(folder / "model.safetensors")) {
    const TensorEntry entry{.name = name,
                            .dtype = DType::F32,
                            .shape = tensor.shape,
                            .begin = 0,
                            .end = tensor.data.size() * sizeof(float)};
    if (TensorSink* sink = map.open(entry, "model.safetensors")) sink->write(0, tensor.data);
  }
  map.finish("model.safetensors");
  model->prepare();
  return model;
}

}  // namespace headlight::test
