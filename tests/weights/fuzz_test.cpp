// Random damage: whatever comes out of it, the engine loads or says why not, and reads nothing out of bounds
// (the sanitizers' build watches that).
#include <catch2/catch_test_macros.hpp>
#include <random>

#include "headlight.h"
#include "support/files.h"
#include "support/random_bert.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

const RandomBert kTiny{
    .hidden_size = 4, .num_hidden_layers = 1, .intermediate_size = 3, .max_position_embeddings = 8};

// Flips up to four bits among the first `region` bytes, or cuts the end off.
std::string damaged(std::string bytes, std::size_t region, std::mt19937& random) {
  if (random() % 8 == 0) return bytes.substr(0, random() % bytes.size());
  for (std::size_t flips = 1 + random() % 4; flips > 0; --flips) {
    bytes[random() % region] ^= static_cast<char>(1 << random() % 8);
  }
  return bytes;
}

TEST_CASE("2,000 damaged headers load or end in a typed error") {
  const TemporaryFolder folder;
  write_bert(folder.path(), kTiny);
  const std::string bytes = read_file(folder.path() / "model.safetensors");
  const std::size_t header_end =
      bytes.size() - SafetensorsFile(folder.path() / "model.safetensors").data.size();
  std::mt19937 random(2024);
  std::size_t loaded = 0, refused = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    const std::string input = damaged(bytes, header_end, random);
    try {
      const Model model = load_from_bytes(folder.path(), input, 1 + random() % 999, random() % 2 == 0);
      const Encoding encoding = random_encoding(kTiny, 5);
      model.forward({&encoding, 1});
      ++loaded;
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(loaded + refused == 2000);
  CHECK(refused > 1000);
}

TEST_CASE("500 damaged configs load or end in a typed error") {
  const TemporaryFolder folder;
  write_bert(folder.path(), kTiny);
  const std::string config = read_file(folder.path() / "config.json");
  std::mt19937 random(7);
  std::size_t ended = 0;
  for (std::size_t i = 0; i < 500; ++i) {
    write_file(folder.path() / "config.json", damaged(config, config.size(), random));
    try {
      Model::load(folder.path());
    } catch (const Error&) {
    }
    ++ended;
  }
  CHECK(ended == 500);
}

}  // namespace
}  // namespace headlight::test
