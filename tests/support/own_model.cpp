#include "support/own_model.h"

#include <algorithm>

#include "support/files.h"
#include "support/tensor_file.h"

namespace headlight::test {

Model random_model_of(const RandomBert& shape, const nlohmann::json& more_config) {
  const TemporaryFolder folder;
  write_bert(folder.path(), shape);
  nlohmann::json config = config_of(shape);
  config.update(more_config);
  write_file(folder.path() / "config.json", config.dump());
  return Model::load(folder.path());
}

nlohmann::json id2label(const std::vector<std::string>& labels) {
  nlohmann::json map = nlohmann::json::object();
  for (std::size_t i = 0; i < labels.size(); ++i) map[std::to_string(i)] = labels[i];
  return {{"id2label", map}};
}

Model letter_classifier(const std::vector<std::string>& labels, std::size_t max_position_embeddings) {
  const RandomBert shape{.architecture = "BertForTokenClassification",
                         .max_position_embeddings = max_position_embeddings,
                         .num_labels = labels.size()};
  constexpr std::size_t kFirstLetter = 5;  // of the vocabulary; each stands before itself with ##
  const std::size_t hidden = shape.hidden_size;
  Tensors tensors = tensors_of(shape);
  for (auto& [name, tensor] : tensors) {
    const bool gain = name.ends_with("LayerNorm.weight");
    std::fill(tensor.data.begin(), tensor.data.end(), gain ? 1.0f : 0.0f);
  }
  // A token's vector points along its label's axis, and nothing adds to it.
  Tensor& words = tensors["bert.embeddings.word_embeddings.weight"];
  for (std::size_t id = 0; id < shape.vocab_size; ++id) {
    const std::size_t letter = id < kFirstLetter ? labels.size() : (id - kFirstLetter) / 2;
    words.data[id * hidden + (letter < labels.size() ? letter : 0)] = 1;
  }
  for (std::size_t label = 0; label < labels.size(); ++label) {
    tensors["classifier.weight"].data[label * hidden + label] = 5;
  }
  const TemporaryFolder folder;
  nlohmann::json config = config_of(shape);
  config.update(id2label(labels));
  write_small_files(folder.path(), config);
  write_tensors(folder.path() / "model.safetensors", tensors);
  return Model::load(folder.path());
}

}  // namespace headlight::test
