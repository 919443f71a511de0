#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "headlight.h"
#include "support/files.h"
#include "support/random_bert.h"
#include "support/tensor_file.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

// Large enough that its matrices are quantised, with sizes that fill no panel and no group.
const RandomBert kShape{.hidden_size = 45, .num_attention_heads = 3, .intermediate_size = 71};

std::string pack(const std::string& weights, std::size_t chunk, const char* file = "model.safetensors") {
  std::string packed;
  Packer packer(
      [&](std::uint64_t offset, std::span<const std::byte> bytes) {
        packed.resize(std::max<std::size_t>(packed.size(), offset + bytes.size()));
        std::memcpy(packed.data() + offset, bytes.data(), bytes.size());
      },
      file);
  for (std::size_t i = 0; i < weights.size(); i += chunk) {
    packer.feed(std::as_bytes(std::span(weights).subspan(i, std::min(chunk, weights.size() - i))));
  }
  packer.finish();
  return packed;
}

// A folder with the float checkpoint, and one with its pack.
struct Packed {
  Packed() {
    write_bert(checkpoint.path(), kShape);
    write_small_files(pack_folder.path(), config_of(kShape));
    write_file(pack_folder.path() / "model.int8.safetensors",
               pack(read_file(checkpoint.path() / "model.safetensors"), 1000));
  }
  TemporaryFolder checkpoint, pack_folder;
};

std::vector<float> logits(const std::filesystem::path& folder, Precision precision) {
  const Model model = Model::load(folder, {.precision = precision});
  const std::vector<Encoding> encodings{random_encoding(kShape, 21)};
  return model.forward(encodings)[0].logits->data;
}

TEST_CASE("a pack and a checkpoint that is quantised while it loads run alike") {
  const Packed folders;
  const auto packed = logits(folders.pack_folder.path(), Precision::automatic);
  CHECK(packed == logits(folders.checkpoint.path(), Precision::int8));
  CHECK(Model::load(folders.pack_folder.path()).info().dtype == "int8");
  CHECK(Model::load(folders.checkpoint.path()).info().dtype == "float32");
}

TEST_CASE("int8 stays near float32, and rounding is there") {
  const Packed folders;
  const auto exact = logits(folders.checkpoint.path(), Precision::float32);
  const auto packed = logits(folders.pack_folder.path(), Precision::int8);
  const auto multiplied_out = logits(folders.pack_folder.path(), Precision::float32);
  CHECK(packed != exact);
  CHECK(multiplied_out != packed);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    CHECK(std::abs(multiplied_out[i] - exact[i]) < 0.05);  // of the weights: 1/254 of a row's largest each
    CHECK(std::abs(packed[i] - exact[i]) < 0.1);           // and of the activations
  }
}

TEST_CASE("a pack holds what docs/format.md says") {
  const Packed folders;
  const Tensors before = read_tensors(folders.checkpoint.path() / "model.safetensors");
  const Tensors after = read_tensors(folders.pack_folder.path() / "model.int8.safetensors");
  const std::string bytes = read_file(folders.pack_folder.path() / "model.int8.safetensors");
  CHECK(bytes.find(R"("__metadata__":{"format":"headlight-int8","version":"1"})") < bytes.find("bert."));
  std::size_t quantised = 0;
  for (const auto& [name, tensor] : before) {
    INFO(name);
    const bool matrix = tensor.shape.size() == 2 && tensor.shape[0] >= 32 && tensor.shape[1] >= 32;
    if (!matrix) {
      CHECK(after.at(name).data == tensor.data);
      continue;
    }
    ++quantised;
    const Tensor& codes = after.at(name + "_int8");
    const Tensor& scales = after.at(name + "_scale");
    REQUIRE(codes.shape == tensor.shape);
    REQUIRE(scales.shape == std::vector<std::size_t>{tensor.shape[0]});
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < codes.data.size(); ++i) {
      const float scale = scales.data[i / tensor.shape[1]];
      wrong += std::abs(codes.data[i]) > 127;
      wrong += std::abs(codes.data[i] * scale - tensor.data[i]) > 0.5001f * scale;
    }
    CHECK(wrong == 0);
  }
  CHECK(quantised > 10);
}

TEST_CASE("the packer's output does not depend on the chunks") {
  TemporaryFolder folder;
  write_bert(folder.path(), kShape);
  const std::string bytes = read_file(folder.path() / "model.safetensors");
  CHECK(pack(bytes, 1) == pack(bytes, bytes.size()));
}

TEST_CASE("a pytorch_model.bin is packed like the safetensors file, tied tensors once") {
  const std::filesystem::path data = std::filesystem::path(HEADLIGHT_TEST_DATA) / "torch";
  const std::string bytes = read_file(data / "wide.bin");
  const std::string packed = pack(bytes, 1000, "pytorch_model.bin");
  CHECK(packed == pack(bytes, 1, "pytorch_model.bin"));

  const TemporaryFolder folder, checkpoint;
  for (const TemporaryFolder* target : {&folder, &checkpoint}) write_torch_config(target->path(), 32, 32);
  write_file(folder.path() / "model.int8.safetensors", packed);
  write_file(checkpoint.path() / "pytorch_model.bin", bytes);
  CHECK(packed.find("\"cls.predictions.decoder.weight") == std::string::npos);
  const RandomBert shape;
  const std::vector<Encoding> encodings{random_encoding(shape, 8)};
  const Model loaded = Model::load(folder.path());
  const Model quantised = Model::load(checkpoint.path(), {.precision = Precision::int8});
  CHECK(loaded.info().dtype == "int8");
  CHECK(loaded.forward(encodings)[0].logits->data == quantised.forward(encodings)[0].logits->data);
}

ErrorCode failure(const std::string& bytes) {
  try {
    pack(bytes, 4096);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::E_INTERNAL;
}

TEST_CASE("what cannot be packed is refused") {
  Packed folders;
  const std::string bytes = read_file(folders.checkpoint.path() / "model.safetensors");
  CHECK(failure(bytes.substr(0, bytes.size() - 1)) == ErrorCode::E_MODEL_TRUNCATED);
  CHECK(failure("<!doctype html>") == ErrorCode::E_NOT_A_MODEL);
  CHECK(failure(read_file(folders.pack_folder.path() / "model.int8.safetensors")) ==
        ErrorCode::E_INVALID_ARGUMENT);

  Tensors tensors = tensors_of(kShape);
  tensors.at("bert.pooler.dense.weight").data[7] = std::numeric_limits<float>::quiet_NaN();
  write_tensors(folders.checkpoint.path() / "model.safetensors", tensors);
  CHECK(failure(read_file(folders.checkpoint.path() / "model.safetensors")) == ErrorCode::E_MODEL_CORRUPT);
}

}  // namespace
}  // namespace headlight::test
