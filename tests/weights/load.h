// Loads models from folders and from bytes, and says how that fails.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "headlight.h"
#include "support/files.h"
#include "support/random_bert.h"

namespace headlight::test {

// The error that `action` must end with; anything else fails the test.
inline Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK_FALSE(error.message().empty());
    CHECK_FALSE(error.advice().empty());
    return error;
  }
  FAIL("no error was thrown");
  return {ErrorCode::E_INTERNAL, ""};
}

inline Error load_error(const std::filesystem::path& folder) {
  return error_of([&] { Model::load(folder); });
}

// A safetensors file taken apart.
struct SafetensorsFile {
  explicit SafetensorsFile(const std::filesystem::path& file) {
    const std::string bytes = read_file(file);
    const auto length = static_cast<std::size_t>(static_cast<unsigned char>(bytes[0]) |
                                                 static_cast<unsigned char>(bytes[1]) << 8 |
                                                 static_cast<unsigned char>(bytes[2]) << 16);
    header = nlohmann::json::parse(bytes.substr(8, length));
    data = bytes.substr(8 + length);
  }
  std::string bytes() const { return safetensors(header.dump(), data); }

  nlohmann::json header;
  std::string data;
};

// config.json and tokenizer of the models in tests/data/torch.
inline void write_torch_config(const std::filesystem::path& folder, std::size_t hidden_size = 4,
                               std::size_t intermediate_size = 3) {
  write_small_files(folder, config_of({.architecture = "BertForMaskedLM",
                                       .hidden_size = hidden_size,
                                       .num_hidden_layers = 1,
                                       .intermediate_size = intermediate_size,
                                       .max_position_embeddings = 8}));
}

// Feeds a folder's model to a ModelLoader in chunks, with `weights` for its weight file, `missing` the
// names that are not there.
inline Model load_from_bytes(const std::filesystem::path& folder, std::string_view weights, std::size_t chunk,
                             bool tell_size = true, const std::vector<std::string>& missing = {}) {
  ModelLoader loader;
  for (const std::string& name : ModelLoader::small_files()) {
    if (std::filesystem::exists(folder / name)) loader.add_file({name, read_file(folder / name)});
  }
  const std::string file = loader.weight_files({}, missing).at(0);
  loader.begin_weights(file, tell_size ? std::optional<std::uint64_t>(weights.size()) : std::nullopt);
  for (std::size_t at = 0; at < weights.size(); at += chunk) {
    const std::string_view part = weights.substr(at, chunk);
    loader.feed(std::as_bytes(std::span(part.data(), part.size())));
  }
  loader.end_weights();
  return loader.finish();
}

}  // namespace headlight::test
