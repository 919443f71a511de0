// The golden encodings: model folders in tests/data/golden and ../shared/golden, and the latter's tokenizers.
#include "text/text_support.h"

namespace headlight::test {
namespace {

// Compares an input of golden.json, which has its lists under the names of transformers.
std::string input_difference(const Tokenizer& tokenizer, const json& example) {
  Input input{example["text"], std::nullopt};
  if (const json pair = example.value("text_pair", json()); !pair.is_null())
    input.text_pair = pair.get<std::string>();
  const json given = example.value("options", json::object());
  TokenizeOptions options;
  if (given.contains("max_length")) options.max_length = given["max_length"].get<std::size_t>();
  options.pad_to_max_length = given.value("padding", json()) == "max_length";
  options.stride = given.value("stride", std::size_t{0});
  const json truncation = given.value("truncation", json());
  if (truncation == true) options.truncation = Truncation::longest_first;
  if (truncation == "only_second") options.truncation = Truncation::only_second;

  json expected = example;
  expected["ids"] = example["input_ids"];
  if (const json types = example.value("token_type_ids", json()); !types.is_null())
    expected["type_ids"] = types;
  return difference(tokenizer.encode(input, options), expected);
}

std::string overflow_difference(const Tokenizer& tokenizer, const json& overflow) {
  const json& given = overflow["options"];
  TokenizeOptions options;
  options.max_length = given["max_length"].get<std::size_t>();
  options.truncation = Truncation::only_second;
  options.stride = given["stride"].get<std::size_t>();
  Encoding encoding =
      tokenizer.encode({overflow["question"], overflow["context"].get<std::string>()}, options);
  std::vector<Encoding> windows = std::move(encoding.overflow);
  windows.insert(windows.begin(), std::move(encoding));
  if (windows.size() != overflow["windows"].size()) return "number of windows";
  for (std::size_t i = 0; i < windows.size(); ++i) {
    json expected = overflow["windows"][i];
    expected["ids"] = expected["input_ids"];
    if (std::string what = difference(windows[i], expected); !what.empty()) return what;
  }
  return {};
}

// Number of inputs compared.
std::size_t check_case(const std::filesystem::path& folder) {
  const json golden = json::parse(read_file(folder / "golden.json"));
  INFO(folder.filename().string());
  const Tokenizer tokenizer = load_tokenizer(folder);
  for (const json& example : golden["inputs"]) CHECK(input_difference(tokenizer, example) == "");
  const json overflow = golden.value("overflow", json());
  const bool overflows = !overflow.is_null();
  if (overflows) CHECK(overflow_difference(tokenizer, overflow) == "");
  return golden["inputs"].size() + overflows;
}

std::size_t check_cases(const std::filesystem::path& root) {
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (std::filesystem::exists(entry.path() / "golden.json")) compared += check_case(entry.path());
  }
  return compared;
}

std::size_t check_tokenizer(const std::filesystem::path& root, const std::string& name) {
  const json golden = json::parse(read_file(root / (name + ".json")));
  const Tokenizer tokenizer = load_tokenizer(root / name);
  TokenizeOptions no_special;
  no_special.add_special_tokens = false;
  CHECK(tokenizer.vocab_size() == golden["vocab_size"].get<std::size_t>());
  for (const json& example : golden["cases"]) {
    INFO(name << " " << example["text"].dump(-1, ' ', true));
    const Encoding encoding = tokenizer.encode({example["text"], std::nullopt});
    CHECK(difference(encoding, example) == "");
    CHECK(tokenizer.encode({example["text"], std::nullopt}, no_special).ids ==
          example["ids_no_special"].get<std::vector<std::int32_t>>());
    CHECK(tokenizer.decode(encoding.ids) == example["decoded"].get<std::string>());
  }
  for (const json& example : golden["pairs"]) {
    INFO(name << " " << example.dump(-1, ' ', true));
    const Encoding encoding = tokenizer.encode({example["text"], example["text_pair"].get<std::string>()});
    CHECK(difference(encoding, example) == "");
  }
  return golden["cases"].size() + golden["pairs"].size();
}

TEST_CASE("the committed golden cases' encodings agree") { CHECK(check_cases(committed_golden()) >= 8); }

TEST_CASE("all golden encodings agree") {
  const auto root = whole_golden();
  if (!root) SKIP("../shared/golden is not there");
  std::size_t folders = 0, inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*root)) {
    if (!std::filesystem::exists(entry.path() / "golden.json")) continue;
    inputs += check_case(entry.path());
    ++folders;
  }
  CHECK(folders >= 39);
  CHECK(inputs >= 150);
}

TEST_CASE("all golden tokenizers agree") {
  const auto root = whole_golden();
  if (!root) SKIP("../shared/golden is not there");
  std::size_t tokenizers = 0, compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*root / "tokenizers")) {
    if (!entry.is_directory()) continue;
    compared += check_tokenizer(*root / "tokenizers", entry.path().filename().string());
    ++tokenizers;
  }
  CHECK(tokenizers >= 13);
  CHECK(compared >= 2900);
}

}  // namespace
}  // namespace headlight::test
