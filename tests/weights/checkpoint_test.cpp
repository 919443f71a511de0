// One model in all the forms in which a checkpoint may come.
#include <catch2/catch_test_macros.hpp>

#include "headlight.h"
#include "support/files.h"
#include "support/random_bert.h"
#include "support/tensor_file.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

namespace fs = std::filesystem;

std::vector<float> logits_of(const Model& model) {
  const Encoding encoding = random_encoding({}, 11);
  return model.forward({&encoding, 1})[0].logits->data;
}

std::vector<float> expected_logits(const Tensors& tensors) {
  const TemporaryFolder folder;
  write_small_files(folder.path(), config_of({}));
  write_tensors(folder.path() / "model.safetensors", tensors);
  return logits_of(Model::load(folder.path()));
}

TEST_CASE("half precisions are read exactly") {
  for (const char* dtype : {"F16", "BF16"}) {
    Tensors rounded = tensors_of({});
    for (auto& [name, tensor] : rounded) tensor.data = rounded_to(dtype, tensor.data);
    const TemporaryFolder folder;
    write_small_files(folder.path(), config_of({}));
    write_tensors(folder.path() / "model.safetensors", rounded, dtype);
    const Model model = Model::load(folder.path());
    INFO(dtype);
    CHECK(model.info().stored_dtype == dtype);
    CHECK(model.info().dtype == "float32");
    CHECK(logits_of(model) == expected_logits(rounded));
  }
}

TEST_CASE("half precisions keep subnormal numbers, zeros and the largest") {
  const std::vector<float> values{0.0f,          -0.0f,    5.9604645e-8f, -6.0975552e-5f,
                                  6.1035156e-5f, 65504.0f, 1.0f,          -1.5f};
  CHECK(rounded_to("F16", values) == values);
  Tensors tensors = tensors_of({});
  auto& bias = tensors.at("bert.pooler.dense.bias").data;
  std::copy(values.begin(), values.end(), bias.begin());
  for (auto& [name, tensor] : tensors) tensor.data = rounded_to("F16", tensor.data);
  const TemporaryFolder folder;
  write_small_files(folder.path(), config_of({}));
  write_tensors(folder.path() / "model.safetensors", tensors, "F16");
  CHECK(logits_of(Model::load(folder.path())) == expected_logits(tensors));
}

TEST_CASE("shards give what one file gives") {
  const Tensors tensors = tensors_of({});
  for (const std::size_t count : {1, 2, 5}) {
    const TemporaryFolder folder;
    write_small_files(folder.path(), config_of({}));
    write_shards(folder.path(), tensors, count);
    INFO(count << " shards");
    CHECK(logits_of(Model::load(folder.path())) == expected_logits(tensors));
  }
}

TEST_CASE("names with and without the prefix, of old and new checkpoints") {
  const Tensors tensors = tensors_of({});
  Tensors bare, old;
  for (const auto& [name, tensor] : tensors) {
    bare[name.starts_with("bert.") ? name.substr(5) : name] = tensor;
    std::string old_name = name;
    for (const auto& [new_part, old_part] :
         {std::pair{"LayerNorm.weight", "LayerNorm.gamma"}, std::pair{"LayerNorm.bias", "LayerNorm.beta"}}) {
      if (const auto at = name.find(new_part); at != std::string::npos)
        old_name = name.substr(0, at) + old_part;
    }
    old[old_name] = tensor;
  }
  CHECK(expected_logits(bare) == expected_logits(tensors));
  CHECK(expected_logits(old) == expected_logits(tensors));
}

TEST_CASE("what the model does not need is left out and named") {
  const TemporaryFolder folder;
  write_bert(folder.path(), {});
  const fs::path file = folder.path() / "model.safetensors";
  SafetensorsFile parts(file);
  const std::size_t end = parts.data.size();
  parts.header["embeddings.position_ids"] = {
      {"dtype", "I64"}, {"shape", {1, 512}}, {"data_offsets", {end, end + 4096}}};
  parts.header["cls.seq_relationship.bias"] = {
      {"dtype", "F32"}, {"shape", {2}}, {"data_offsets", {end + 4096, end + 4104}}};
  parts.data.append(4104, '\x7f');
  write_file(file, parts.bytes());
  const Model model = Model::load(folder.path());
  CHECK(model.info().ignored ==
        std::vector<std::string>{"embeddings.position_ids", "cls.seq_relationship.bias"});
  CHECK(logits_of(model) == expected_logits(tensors_of({})));
}

TEST_CASE("bytes may arrive in any chunks, with and without the size known before") {
  const TemporaryFolder folder;
  write_bert(folder.path(), {});
  const std::string weights = read_file(folder.path() / "model.safetensors");
  const std::vector<float> expected = expected_logits(tensors_of({}));
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, weights.size()}) {
    for (const bool tell_size : {true, false}) {
      INFO("chunks of " << chunk << (tell_size ? ", size known" : ", size not known"));
      CHECK(logits_of(load_from_bytes(folder.path(), weights, chunk, tell_size)) == expected);
    }
  }
}

TEST_CASE("info tells sizes, labels and tasks") {
  const TemporaryFolder folder;
  write_bert(folder.path(), {.num_labels = 3});
  const Model model = Model::load(folder.path());
  const ModelInfo& info = model.info();
  CHECK(info.family == "bert");
  CHECK(info.architecture == "BertForSequenceClassification");
  CHECK(info.dtype == "float32");
  CHECK(info.stored_dtype == "F32");
  CHECK(info.num_hidden_layers == 2);
  CHECK(info.num_attention_heads == 2);
  CHECK(info.hidden_size == 16);
  CHECK(info.intermediate_size == 37);
  CHECK(info.vocab_size == 67);
  CHECK(info.max_length == 512);
  CHECK(info.problem_type == "single_label_classification");
  CHECK(info.labels == std::vector<std::string>{"label 0", "label 1", "label 2"});
  CHECK(std::count(info.tasks.begin(), info.tasks.end(), "classify") == 1);
  std::size_t parameters = 0;
  for (const auto& [name, tensor] : tensors_of({})) parameters += tensor.data.size();
  CHECK(info.parameters == parameters);
  CHECK(info.weight_bytes >= 4 * parameters);
}

}  // namespace
}  // namespace headlight::test
