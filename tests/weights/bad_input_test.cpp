// Broken and hostile models: each must end in an error that says what, where and what to do.
#include <catch2/catch_test_macros.hpp>

#include "headlight.h"
#include "support/files.h"
#include "support/random_bert.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const RandomBert kTiny{
    .hidden_size = 4, .num_hidden_layers = 1, .intermediate_size = 3, .max_position_embeddings = 8};
const std::string kQuery = "bert.encoder.layer.0.attention.self.query.weight";  // [4, 4]
const std::string kPooler = "bert.pooler.dense.weight";                         // [4, 4]
constexpr std::uint64_t kHuge = std::uint64_t{1} << 62;
constexpr const char* kWeights = "model.safetensors";

class TinyModel : public TemporaryFolder {
 public:
  TinyModel() { write_bert(path(), kTiny); }
  fs::path weights() const { return path() / kWeights; }

  // Rewrites the header and data of model.safetensors.
  void edit(const std::function<void(json& header, std::string& data)>& change) const {
    SafetensorsFile file(weights());
    change(file.header, file.data);
    write_file(weights(), file.bytes());
  }
  void edit_config(const std::function<void(json& config)>& change) const {
    json config = json::parse(read_file(path() / "config.json"));
    change(config);
    write_file(path() / "config.json", config.dump());
  }
};

TEST_CASE("the tiny model itself loads") { CHECK(Model::load(TinyModel().path()).info().hidden_size == 4); }

struct BadTensor {
  const char* what;
  std::function<void(json& entry)> change;
  ErrorCode code;
};

TEST_CASE("a wrong entry of the header is refused by name") {
  const std::vector<BadTensor> cases{
      {"offsets that do not fit the shape", [](json& e) { e["shape"] = {4, 3}; }, ErrorCode::E_MODEL_CORRUPT},
      {"an end before the beginning",
       [](json& e) { e["data_offsets"] = {e["data_offsets"][1], e["data_offsets"][0]}; },
       ErrorCode::E_MODEL_CORRUPT},
      {"a negative offset", [](json& e) { e["data_offsets"][0] = -64; }, ErrorCode::E_MODEL_CORRUPT},
      {"a broken offset", [](json& e) { e["data_offsets"][0] = 1.5; }, ErrorCode::E_MODEL_CORRUPT},
      {"one offset", [](json& e) { e["data_offsets"] = {0}; }, ErrorCode::E_MODEL_CORRUPT},
      {"no offsets", [](json& e) { e.erase("data_offsets"); }, ErrorCode::E_MODEL_CORRUPT},
      {"no shape", [](json& e) { e.erase("shape"); }, ErrorCode::E_MODEL_CORRUPT},
      {"a negative dimension", [](json& e) { e["shape"] = {-4, -4}; }, ErrorCode::E_MODEL_CORRUPT},
      {"dimensions that overflow", [](json& e) { e["shape"] = {std::uint64_t{1} << 63, 2, 16}; },
       ErrorCode::E_MODEL_CORRUPT},
      {"dimensions that overflow to the right size",
       [](json& e) { e["shape"] = {std::uint64_t{1} << 32, std::uint64_t{1} << 32, 16}; },
       ErrorCode::E_MODEL_CORRUPT},
      {"no element type", [](json& e) { e.erase("dtype"); }, ErrorCode::E_MODEL_CORRUPT},
      {"an entry that is no object", [](json& e) { e = 7; }, ErrorCode::E_MODEL_CORRUPT},
      {"an element type that does not exist", [](json& e) { e["dtype"] = "Q4_K"; },
       ErrorCode::E_UNSUPPORTED_DTYPE},
      {"integers for weights", [](json& e) { e["dtype"] = "I32"; }, ErrorCode::E_UNSUPPORTED_DTYPE},
      {"a transposed shape", [](json& e) { e["shape"] = {2, 8}; }, ErrorCode::E_SHAPE_MISMATCH},
      {"a shape of one dimension", [](json& e) { e["shape"] = {16}; }, ErrorCode::E_SHAPE_MISMATCH},
  };
  for (const auto& [what, change, code] : cases) {
    const TinyModel model;
    model.edit([&](json& header, std::string&) { change(header[kPooler]); });
    const Error error = load_error(model.path());
    INFO(what << ": " << error.what());
    CHECK(error.code() == code);
    CHECK(error.place().file == kWeights);
    CHECK(error.place().tensor == kPooler);
  }
}

TEST_CASE("overlapping tensors are refused") {
  const TinyModel model;
  model.edit(
      [](json& header, std::string&) { header[kPooler]["data_offsets"] = header[kQuery]["data_offsets"]; });
  const Error error = load_error(model.path());
  CHECK(error.code() == ErrorCode::E_MODEL_CORRUPT);
  CHECK(error.place().file == kWeights);
  CHECK((error.place().tensor == kPooler || error.place().tensor == kQuery));
}

TEST_CASE("gaps between tensors are refused, as the format has none") {
  const TinyModel model;
  model.edit([](json& header, std::string& data) {
    const std::size_t at = header[kPooler]["data_offsets"][0];
    data.insert(at, 8, '\0');
    for (auto& [name, entry] : header.items()) {
      if (name == "__metadata__" || entry["data_offsets"][0] < at) continue;
      for (auto& offset : entry["data_offsets"]) offset = offset.get<std::size_t>() + 8;
    }
  });
  const Error error = load_error(model.path());
  CHECK(error.code() == ErrorCode::E_MODEL_CORRUPT);
  CHECK(error.place().tensor == kPooler);
}

TEST_CASE("a missing tensor is named") {
  const TinyModel model;
  Tensors tensors = tensors_of(kTiny);
  tensors.erase(kQuery);
  write_tensors(model.weights(), tensors);
  const Error error = load_error(model.path());
  CHECK(error.code() == ErrorCode::E_MISSING_TENSOR);
  CHECK(error.place().file == kWeights);
  CHECK(kQuery.ends_with(error.place().tensor));
  CHECK(error.place().tensor.find("query.weight") != std::string::npos);
}

TEST_CASE("a tensor that is there twice is refused") {
  SECTION("under one name") {
    const TinyModel model;
    const SafetensorsFile file(model.weights());
    std::string header = file.header.dump();
    header.insert(1, "\"" + kPooler + "\":" + file.header[kPooler].dump() + ",");
    write_file(model.weights(), safetensors(header, file.data));
    const Error error = load_error(model.path());
    CHECK(error.code() == ErrorCode::E_MODEL_CORRUPT);
    CHECK(error.place().tensor == kPooler);
  }
  SECTION("under two names") {
    const TinyModel model;
    Tensors tensors = tensors_of(kTiny);
    tensors["pooler.dense.weight"] = tensors[kPooler];
    write_tensors(model.weights(), tensors);
    const Error error = load_error(model.path());
    CHECK(error.code() == ErrorCode::E_MODEL_CORRUPT);
    CHECK(error.place().tensor.ends_with("pooler.dense.weight"));
  }
  SECTION("in two shards") {
    const TinyModel model;
    fs::remove(model.weights());
    write_shards(model.path(), tensors_of(kTiny), 2);
    for (const char* shard : {"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"}) {
      Tensors tensors = read_tensors(model.path() / shard);
      tensors[kPooler] = tensors_of(kTiny)[kPooler];
      write_tensors(model.path() / shard, tensors);
    }
    CHECK(load_error(model.path()).code() == ErrorCode::E_MODEL_CORRUPT);
  }
}

struct BadFile {
  const char* what;
  std::function<std::string(std::string)> change;
  ErrorCode code;
};

std::string with_length(std::string bytes, std::uint64_t length) {
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(length >> 8 * i);
  return bytes;
}

TEST_CASE("a file that is cut, grown or something else is refused") {
  const std::vector<BadFile> cases{
      {"nothing", [](std::string) { return std::string(); }, ErrorCode::E_MODEL_TRUNCATED},
      {"four bytes", [](std::string b) { return b.substr(0, 4); }, ErrorCode::E_MODEL_TRUNCATED},
      {"half of the data", [](std::string b) { return b.substr(0, b.size() - 500); },
       ErrorCode::E_MODEL_TRUNCATED},
      {"all but the last byte", [](std::string b) { return b.substr(0, b.size() - 1); },
       ErrorCode::E_MODEL_TRUNCATED},
      {"a byte too many", [](std::string b) { return b + '\0'; }, ErrorCode::E_MODEL_CORRUPT},
      {"a header past the end", [](std::string b) { return with_length(b, b.size()); },
       ErrorCode::E_MODEL_CORRUPT},
      {"a header of 2^63 bytes", [](std::string b) { return with_length(b, 1ull << 63); },
       ErrorCode::E_MODEL_CORRUPT},
      {"a header of 2^64 - 1 bytes", [](std::string b) { return with_length(b, ~0ull); },
       ErrorCode::E_MODEL_CORRUPT},
      {"a header of no bytes", [](std::string b) { return with_length(b, 0); }, ErrorCode::E_MODEL_CORRUPT},
      {"a header cut short", [](std::string b) { return with_length(b, 100); }, ErrorCode::E_MODEL_CORRUPT},
      {"a header that is no JSON",
       [](std::string b) {
         b[8] = '!';
         return b;
       },
       ErrorCode::E_MODEL_CORRUPT},
      {"a header that is an array", [](std::string) { return safetensors("[1, 2]", ""); },
       ErrorCode::E_MODEL_CORRUPT},
      {"a header that is deep",
       [](std::string) { return safetensors(R"({"a":)" + std::string(100'000, '['), ""); },
       ErrorCode::E_MODEL_CORRUPT},
      {"metadata that is no text",
       [](std::string) { return safetensors(R"({"__metadata__": {"format": 1}})", ""); },
       ErrorCode::E_MODEL_CORRUPT},
      {"a page", [](std::string) { return std::string("<!DOCTYPE html><html><body>404</body></html>"); },
       ErrorCode::E_NOT_A_MODEL},
      {"a Git LFS pointer",
       [](std::string) { return std::string("version https://git-lfs.github.com/spec/v1\noid"); },
       ErrorCode::E_NOT_A_MODEL},
      {"no tensor", [](std::string) { return safetensors("{}", ""); }, ErrorCode::E_MISSING_TENSOR},
  };
  for (const auto& [what, change, code] : cases) {
    const TinyModel model;
    write_file(model.weights(), change(read_file(model.weights())));
    const Error error = load_error(model.path());
    INFO(what << ": " << error.what());
    CHECK(error.code() == code);
    CHECK(error.place().file == kWeights);
  }
}

TEST_CASE("a stream that ends early is refused wherever it ends") {
  const TinyModel model;
  const std::string bytes = read_file(model.weights());
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    const Error error = error_of([&] { load_from_bytes(model.path(), bytes.substr(0, size), 64, false); });
    INFO("after " << size << " bytes");
    CHECK(error.code() == ErrorCode::E_MODEL_TRUNCATED);
  }
}

struct BadConfig {
  const char* what;
  std::function<void(json& config)> change;
  ErrorCode code;
};

TEST_CASE("a wrong config.json is refused") {
  const std::vector<BadConfig> cases{
      {"heads that do not divide", [](json& c) { c["num_attention_heads"] = 3; },
       ErrorCode::E_INVALID_CONFIG},
      {"no heads", [](json& c) { c["num_attention_heads"] = 0; }, ErrorCode::E_INVALID_CONFIG},
      {"negative", [](json& c) { c["hidden_size"] = -4; }, ErrorCode::E_INVALID_CONFIG},
      {"broken", [](json& c) { c["hidden_size"] = 4.5; }, ErrorCode::E_INVALID_CONFIG},
      {"text", [](json& c) { c["hidden_size"] = "4"; }, ErrorCode::E_INVALID_CONFIG},
      {"missing", [](json& c) { c.erase("num_hidden_layers"); }, ErrorCode::E_INVALID_CONFIG},
      {"null", [](json& c) { c["vocab_size"] = nullptr; }, ErrorCode::E_INVALID_CONFIG},
      {"huge layers", [](json& c) { c["num_hidden_layers"] = kHuge; }, ErrorCode::E_INVALID_CONFIG},
      {"a million layers", [](json& c) { c["num_hidden_layers"] = 1'000'000; }, ErrorCode::E_INVALID_CONFIG},
      {"huge hidden size", [](json& c) { c["hidden_size"] = kHuge; }, ErrorCode::E_INVALID_CONFIG},
      {"huge feed-forward", [](json& c) { c["intermediate_size"] = kHuge; }, ErrorCode::E_INVALID_CONFIG},
      {"huge vocabulary", [](json& c) { c["vocab_size"] = kHuge; }, ErrorCode::E_INVALID_CONFIG},
      {"huge length", [](json& c) { c["max_position_embeddings"] = kHuge; }, ErrorCode::E_INVALID_CONFIG},
      {"past 64 bits", [](json& c) { c["hidden_size"] = 1e300; }, ErrorCode::E_INVALID_CONFIG},
      {"negative epsilon", [](json& c) { c["layer_norm_eps"] = -1; }, ErrorCode::E_INVALID_CONFIG},
      {"labels that are no object", [](json& c) { c["id2label"] = {"a"}; }, ErrorCode::E_INVALID_CONFIG},
      {"an unknown family", [](json& c) { c["model_type"] = "gpt2"; }, ErrorCode::E_UNSUPPORTED_FAMILY},
      {"no family", [](json& c) { c.erase("model_type"); }, ErrorCode::E_UNSUPPORTED_FAMILY},
      {"an unknown head", [](json& c) { c["architectures"] = {"BertForMind"}; },
       ErrorCode::E_UNSUPPORTED_OPTION},
      {"an unknown activation", [](json& c) { c["hidden_act"] = "mish"; }, ErrorCode::E_UNSUPPORTED_OPTION},
      {"an unknown position scheme", [](json& c) { c["position_embedding_type"] = "alibi"; },
       ErrorCode::E_UNSUPPORTED_OPTION},
      {"an unknown problem type", [](json& c) { c["problem_type"] = "ranking"; },
       ErrorCode::E_UNSUPPORTED_OPTION},
  };
  for (const auto& [what, change, code] : cases) {
    const TinyModel model;
    model.edit_config(change);
    const Error error = load_error(model.path());
    INFO(what << ": " << error.what());
    CHECK(error.code() == code);
    CHECK(error.place().file == "config.json");
  }
  for (const char* text : {"", "{", "[]", "null", "\xff\xfe", "{\"model_type\": \"bert\"} x"}) {
    const TinyModel model;
    write_file(model.path() / "config.json", text);
    INFO(text);
    CHECK(load_error(model.path()).code() == ErrorCode::E_INVALID_CONFIG);
  }
}

TEST_CASE("a config.json of another model is refused by the first tensor that does not fit") {
  for (const char* key : {"hidden_size", "intermediate_size", "vocab_size", "max_position_embeddings"}) {
    const TinyModel model;
    model.edit_config([&](json& config) { config[key] = 1 << 20; });
    const Error error = load_error(model.path());
    INFO(key << ": " << error.what());
    CHECK(error.code() == ErrorCode::E_SHAPE_MISMATCH);
    CHECK(error.place().file == kWeights);
    CHECK_FALSE(error.place().tensor.empty());
  }
  const TinyModel model;
  model.edit_config([&](json& config) { config["num_hidden_layers"] = 2; });
  CHECK(load_error(model.path()).code() == ErrorCode::E_MISSING_TENSOR);
}

TEST_CASE("files that are not there are named") {
  for (const char* file : {"config.json", kWeights}) {
    const TinyModel model;
    fs::remove(model.path() / file);
    const Error error = load_error(model.path());
    INFO(error.what());
    CHECK(error.code() == ErrorCode::E_NOT_FOUND);
    CHECK(error.place().file == file);
  }
  const TinyModel model;
  fs::remove(model.path() / "vocab.txt");
  CHECK(load_error(model.path()).code() == ErrorCode::E_NOT_FOUND);
  CHECK(load_error(model.path() / "nowhere").code() == ErrorCode::E_NOT_FOUND);
}

TEST_CASE("a broken index of shards is refused") {
  const TinyModel model;
  fs::remove(model.weights());
  write_shards(model.path(), tensors_of(kTiny), 2);
  const fs::path index = model.path() / "model.safetensors.index.json";

  SECTION("a shard that is not there") {
    fs::remove(model.path() / "model-00002-of-00002.safetensors");
    const Error error = load_error(model.path());
    CHECK(error.code() == ErrorCode::E_NOT_FOUND);
    CHECK(error.place().file == "model-00002-of-00002.safetensors");
  }
  SECTION("a path out of the folder") {
    for (const char* file :
         {"../model.safetensors", "/etc/passwd", "..", "a/b.safetensors", "C:\\model.safetensors"}) {
      json parsed = json::parse(read_file(index));
      parsed["weight_map"][kPooler] = file;
      write_file(index, parsed.dump());
      INFO(file);
      CHECK(load_error(model.path()).code() == ErrorCode::E_MODEL_CORRUPT);
    }
  }
  SECTION("something else than an index") {
    for (const char* text :
         {"", "{}", "[]", R"({"weight_map": []})", R"({"weight_map": {}})", R"({"weight_map": {"a": 1}})"}) {
      write_file(index, text);
      const Error error = load_error(model.path());
      INFO(text);
      CHECK(error.code() == ErrorCode::E_MODEL_CORRUPT);
      CHECK(error.place().file == "model.safetensors.index.json");
    }
  }
  SECTION("a shard that lacks a tensor") {
    Tensors shard = read_tensors(model.path() / "model-00001-of-00002.safetensors");
    shard.erase(shard.begin());
    write_tensors(model.path() / "model-00001-of-00002.safetensors", shard);
    CHECK(load_error(model.path()).code() == ErrorCode::E_MISSING_TENSOR);
  }
}

TEST_CASE("a loader refuses calls in the wrong order") {
  const TinyModel model;
  const std::string bytes = read_file(model.weights());
  ModelLoader loader;
  CHECK(error_of([&] { loader.feed({}); }).code() == ErrorCode::E_INVALID_ARGUMENT);
  ModelLoader unfinished;
  CHECK(error_of([&] { unfinished.finish(); }).code() == ErrorCode::E_INVALID_ARGUMENT);
  ModelLoader without_config;
  CHECK(error_of([&] { without_config.begin_weights(kWeights, bytes.size()); }).code() ==
        ErrorCode::E_NOT_FOUND);
}

}  // namespace
}  // namespace headlight::test
