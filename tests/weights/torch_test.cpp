// pytorch_model.bin: the files of tests/data/torch, which torch made, and damaged ones.
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <random>
#include <set>

#include "headlight.h"
#include "support/files.h"
#include "support/random_bert.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

namespace fs = std::filesystem;

const fs::path kData = fs::path(HEADLIGHT_TEST_DATA) / "torch";
constexpr const char* kBin = "pytorch_model.bin";

std::vector<float> logits_of(const Model& model) {
  const std::vector<Encoding> encodings{random_encoding(RandomBert{}, 8)};
  return model.forward(encodings)[0].logits->data;
}

std::vector<float> reference() {
  const TemporaryFolder folder;
  write_torch_config(folder.path());
  fs::copy(kData / "reference.safetensors", folder.path() / "model.safetensors");
  return logits_of(Model::load(folder.path()));
}

// A folder for weights that come as bytes.
class TorchFolder : public TemporaryFolder {
 public:
  TorchFolder() { write_torch_config(path()); }
  Model load(std::string_view bytes, std::size_t chunk = 100) const {
    return load_from_bytes(path(), bytes, chunk, false, {"model.safetensors"});
  }
  Error error(std::string_view bytes) const {
    return error_of([&] { load(bytes); });
  }
};

TEST_CASE("what torch.save wrote is what safetensors hold, in every form and every chunk") {
  const std::vector<float> expected = reference();
  struct Form {
    const char* file;
    const char* dtype;
  };
  const TorchFolder folder;
  for (const auto& [file, dtype] :
       {Form{"zip.bin", "F32"}, Form{"stream.bin", "F32"}, Form{"half.bin", "F16"},
        Form{"bfloat16.bin", "BF16"}, Form{"double.bin", "F64"}, Form{"empty.bin", "F32"}}) {
    const std::string bytes = read_file(kData / file);
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, bytes.size()}) {
      INFO(file << " in chunks of " << chunk);
      const Model model = folder.load(bytes, chunk);
      CHECK(logits_of(model) == expected);
      CHECK(model.info().stored_dtype == dtype);
    }
  }
}

TEST_CASE("tied and integer tensors are named as ignored, and counted once") {
  const TorchFolder folder;
  for (const char* file : {"zip.bin", "stream.bin"}) {
    const ModelInfo info = folder.load(read_file(kData / file)).info();
    CHECK(std::set<std::string>(info.ignored.begin(), info.ignored.end()) ==
          std::set<std::string>{"bert.embeddings.position_ids", "cls.predictions.decoder.weight"});
    CHECK(info.parameters == folder.load(read_file(kData / "half.bin")).info().parameters);
  }
}

TEST_CASE("shards of pytorch_model.bin, with and without a listing of the folder") {
  const TorchFolder folder;
  for (const char* file : {"pytorch_model.bin.index.json", "pytorch_model-00001-of-00002.bin",
                           "pytorch_model-00002-of-00002.bin"}) {
    fs::copy(kData / file, folder.path() / file);
  }
  CHECK(logits_of(Model::load(folder.path())) == reference());
  ModelLoader loader;
  loader.add_file({"pytorch_model.bin.index.json", read_file(kData / "pytorch_model.bin.index.json")});
  const std::vector<std::string> missing{"model.safetensors"};
  CHECK(loader.weight_files({}, missing).size() == 2);
  const auto index = nlohmann::json::parse(read_file(kData / "pytorch_model.bin.index.json"));
  CHECK(loader.expected_weight_bytes() == index["metadata"]["total_size"].get<std::uint64_t>());
}

TEST_CASE("safetensors are read before pytorch_model.bin, a pack before both") {
  const ModelLoader unused;
  const std::vector<std::string> listing{"pytorch_model.bin", "model.int8.safetensors", "model.safetensors"};
  const auto choice = [&](Precision precision, std::size_t count) {
    ModelLoader loader({.precision = precision});
    return loader.weight_files(std::span(listing).first(count), {});
  };
  CHECK(choice(Precision::automatic, 3) == std::vector<std::string>{"model.int8.safetensors"});
  CHECK(choice(Precision::float32, 3) == std::vector<std::string>{"model.safetensors"});
  CHECK(choice(Precision::automatic, 1) == std::vector<std::string>{"pytorch_model.bin"});
  const std::vector<std::string> both{"pytorch_model.bin", "model.safetensors"};
  ModelLoader loader;
  CHECK(loader.weight_files(both, {}) == std::vector<std::string>{"model.safetensors"});
  CHECK(error_of([] { ModelLoader().weight_files({}, std::vector<std::string>{"model.safetensors", kBin}); })
            .message()
            .find(kBin) != std::string::npos);
}

TEST_CASE("a file that ends anywhere is truncated") {
  const TorchFolder folder;
  for (const char* file : {"zip.bin", "stream.bin"}) {
    const std::string bytes = read_file(kData / file);
    std::size_t wrong = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const Error error = folder.error(std::string_view(bytes).substr(0, size));
      wrong += error.code() != ErrorCode::E_MODEL_TRUNCATED;
    }
    INFO(file);
    CHECK(wrong == 0);
  }
}

TEST_CASE("a zip archive with any byte changed loads the same weights or is refused") {
  const TorchFolder folder;
  const std::vector<float> expected = reference();
  const std::string bytes = read_file(kData / "zip.bin");
  std::size_t loaded = 0, different = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    try {
      different += logits_of(folder.load(changed, 4096)) != expected;
      ++loaded;
    } catch (const Error&) {
    }
  }
  CHECK(different == 0);
  CHECK(loaded > 0);  // in the padding
  CHECK(loaded < bytes.size() / 2);
}

TEST_CASE("2,000 damaged streams load or end in a typed error") {
  const TorchFolder folder;
  const std::string bytes = read_file(kData / "stream.bin");
  std::mt19937 random(11);
  std::size_t ended = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    std::string changed = bytes;
    for (std::size_t flips = 1 + random() % 4; flips > 0; --flips) {
      changed[random() % changed.size()] ^= static_cast<char>(1 << random() % 8);
    }
    try {
      logits_of(folder.load(changed, 1 + random() % 999));
    } catch (const Error&) {
    }
    ++ended;
  }
  CHECK(ended == 2000);
}

// A literal with the zeros in it.
template <std::size_t size>
std::string raw(const char (&literal)[size]) {
  return {literal, size - 1};
}

// A stream whose state_dict is this pickle.
std::string stream_of(const std::string& pickle) {
  const std::string bytes = read_file(kData / "stream.bin");
  const std::string dictionary =
      raw("\x80\x02"
          "ccollections");
  return bytes.substr(0, bytes.find(dictionary)) + pickle;
}

struct BadPickle {
  const char* what;
  std::string pickle;
  ErrorCode code;
  const char* named;
};

std::string bytes(const std::string& text) { return std::string("\x80\x02") + text; }

TEST_CASE("a pickle that holds more than tensors is refused by name, and nothing is called") {
  const std::string storage =
      raw("(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\0"
          "0X\x03\0\0\0cpuK\x04tQ");
  const std::string rebuild = "ctorch._utils\n_rebuild_tensor_v2\n(";
  const auto tensor = [&](const std::string& view) {
    return bytes(raw("}X\x01\0\0\0a") + rebuild + storage + view + "\x89}tRs.");
  };
  const std::string deep(std::size_t{3} << 20, ']');
  const std::vector<BadPickle> cases{
      {"a call of the system", bytes("cos\nsystem\nX\x02\0\0\0id\x85R."), ErrorCode::E_UNSUPPORTED_WEIGHTS,
       "os.system"},
      {"another function of torch", bytes("ctorch._utils\n_rebuild_qtensor\n."),
       ErrorCode::E_UNSUPPORTED_WEIGHTS, "torch._utils._rebuild_qtensor"},
      {"a whole model", bytes("ctransformers.modeling_bert\nBertModel\n)\x81."),
       ErrorCode::E_UNSUPPORTED_WEIGHTS, "transformers.modeling_bert.BertModel"},
      {"a builtin", bytes("cbuiltins\neval\n."), ErrorCode::E_UNSUPPORTED_WEIGHTS, "builtins.eval"},
      {"an object", bytes(")\x81."), ErrorCode::E_UNSUPPORTED_WEIGHTS, "0x81"},
      {"an extension", bytes("\x82\x01."), ErrorCode::E_UNSUPPORTED_WEIGHTS, "0x82"},
      {"an instance", bytes("(ios\nsystem\n."), ErrorCode::E_UNSUPPORTED_WEIGHTS, "0x69"},
      {"a text of protocol 0", bytes("S'a'\n."), ErrorCode::E_UNSUPPORTED_WEIGHTS, "0x53"},
      {"another protocol", "\x80\x04.", ErrorCode::E_UNSUPPORTED_WEIGHTS, "protocol 4"},
      {"no dictionary", bytes("K\x01."), ErrorCode::E_UNSUPPORTED_WEIGHTS, "no dictionary"},
      {"a dictionary of training", bytes(raw("}X\x05\0\0\0epochK\x03s.")), ErrorCode::E_UNSUPPORTED_WEIGHTS,
       "no tensor"},
      {"a key that is a number", bytes("}K\x01K\x02s."), ErrorCode::E_UNSUPPORTED_WEIGHTS, "key"},
      {"a storage that is called", bytes("ctorch\nFloatStorage\n)R."), ErrorCode::E_UNSUPPORTED_WEIGHTS,
       "storage"},
      {"a persistent id of its own", bytes("K\x01Q."), ErrorCode::E_UNSUPPORTED_WEIGHTS, "refers"},
      {"a text that is huge", bytes("X\xff\xff\xff\xff"), ErrorCode::E_UNSUPPORTED_WEIGHTS, "too long"},
      {"a pickle that is huge", bytes(deep), ErrorCode::E_UNSUPPORTED_WEIGHTS, "longer"},
      {"elements that are not in order", tensor(raw("K\0K\x02K\x02\x86K\x02K\x02\x86")),
       ErrorCode::E_MODEL_CORRUPT, "reaches past"},
      {"every second element", tensor(raw("K\0K\x02\x85K\x02\x85")), ErrorCode::E_UNSUPPORTED_WEIGHTS,
       "not in order"},
      {"a view past its storage", tensor("K\x01K\x04\x85K\x01\x85"), ErrorCode::E_MODEL_CORRUPT,
       "past its storage"},
      {"a huge view", tensor(raw("K\0\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f\x85K\x01\x85")),
       ErrorCode::E_MODEL_CORRUPT, "its storage"},
      {"a huge view of one element", tensor(raw("K\0J\xff\xff\xff\x7f\x85K\0\x85")),
       ErrorCode::E_UNSUPPORTED_WEIGHTS, "not in order"},
      {"a negative offset", tensor("J\xff\xff\xff\xffK\x02\x85K\x01\x85"), ErrorCode::E_MODEL_CORRUPT,
       "0 or more"},
      {"more strides than dimensions", tensor(raw("K\0K\x02\x85K\x01K\x01\x86")), ErrorCode::E_MODEL_CORRUPT,
       "strides"},
      {"nothing to stop with", bytes("."), ErrorCode::E_MODEL_CORRUPT, "one value"},
      {"nothing on the stack", bytes("R."), ErrorCode::E_MODEL_CORRUPT, "not there"},
      {"no mark", bytes("t."), ErrorCode::E_MODEL_CORRUPT, "mark"},
      {"nothing remembered", bytes("h\x05."), ErrorCode::E_MODEL_CORRUPT, "recalls"},
      {"a memory out of order", bytes("Nr\xff\xff\xff\x7f."), ErrorCode::E_MODEL_CORRUPT, "out of order"},
      {"a key without a value", bytes("}(Nu."), ErrorCode::E_MODEL_CORRUPT, "key without"},
  };
  const TorchFolder folder;
  for (const auto& [what, pickle, code, named] : cases) {
    const Error error = error_of([&] { folder.load(stream_of(pickle), 4096); });
    INFO(what << ": " << error.what());
    CHECK(error.code() == code);
    CHECK(error.message().find(named) != std::string::npos);
    CHECK(error.place().file == kBin);
  }
}

TEST_CASE("an opcode is refused with its place in the file") {
  const std::string start = stream_of("");
  const TorchFolder folder;
  const Error error = folder.error(stream_of(bytes("}cos\nsystem\n")));
  CHECK(error.place().offset == start.size() + 3);
}

// The first record's field at `at` with another value.
std::string with_field(std::string archive, std::size_t at, std::uint16_t value) {
  std::memcpy(archive.data() + at, &value, sizeof(value));
  return archive;
}

TEST_CASE("archives that are none of torch.save are refused by name") {
  const TorchFolder folder;
  const std::string archive = read_file(kData / "zip.bin");
  const auto check = [&](const std::string& changed, ErrorCode code, const char* named) {
    const Error error = folder.error(changed);
    INFO(error.what());
    CHECK(error.code() == code);
    CHECK(error.message().find(named) != std::string::npos);
  };
  const auto renamed = [&](std::string from, const std::string& to) {
    std::string changed = archive;
    changed.replace(changed.find(from), from.size(), to);
    return changed;
  };
  check(with_field(archive, 8, 8), ErrorCode::E_UNSUPPORTED_WEIGHTS, "zip/data.pkl is compressed");
  check(with_field(archive, 6, 9), ErrorCode::E_UNSUPPORTED_WEIGHTS, "zip/data.pkl is encrypted");
  check(renamed("zip/data.pkl", "zip/code/a.p"), ErrorCode::E_UNSUPPORTED_WEIGHTS, "TorchScript");
  check(renamed("zip/data.pkl", "zip_data.pkl"), ErrorCode::E_UNSUPPORTED_WEIGHTS, "zip_data.pkl");
  check(renamed("zip/data/3", "zip/data/x"), ErrorCode::E_MODEL_CORRUPT, "storage x");
  check(renamed("zip/data/3", "zip/data/2"), ErrorCode::E_MODEL_CORRUPT, "storage 2 is there twice");
  check(archive + "x", ErrorCode::E_MODEL_CORRUPT, "goes on");
  check(read_file(kData / "stream.bin") + "x", ErrorCode::E_MODEL_CORRUPT, "goes on");
  check("<!DOCTYPE html>", ErrorCode::E_NOT_A_MODEL, "HTML");
  check("version https://git-lfs", ErrorCode::E_NOT_A_MODEL, "LFS");
  check("ustar or anything", ErrorCode::E_MODEL_CORRUPT, "neither");
  check(bytes("K\x01.K\x01."), ErrorCode::E_UNSUPPORTED_WEIGHTS, "none that torch.save wrote");
}

TEST_CASE("a changed element of a zip archive fails its checksum") {
  const TorchFolder folder;
  std::string archive = read_file(kData / "zip.bin");
  // The local header ends in the length of the extra field, the name and that field; then come the elements.
  const std::size_t name = archive.find("zip/data/2");
  const std::size_t extra = static_cast<unsigned char>(archive[name - 2]);
  char& element = archive[name + std::strlen("zip/data/2") + extra];
  element = static_cast<char>(element ^ 1);
  const Error error = folder.error(archive);
  CHECK(error.code() == ErrorCode::E_MODEL_CORRUPT);
  CHECK(error.message().find("checksum") != std::string::npos);
}

}  // namespace
}  // namespace headlight::test
