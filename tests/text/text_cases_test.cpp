// Texts, options and encodings by Hugging Face's tokenizers (scripts/unicode/make_text_cases.py and make_model_cases.py).
#include <cstdlib>

#include "text/text_support.h"

namespace headlight::test {
namespace {

TokenizeOptions options_of(const json& options) {
  TokenizeOptions result;
  result.add_special_tokens = options.value("add_special_tokens", true);
  result.parse_special_tokens = options.value("parse_special_tokens", true);
  result.stride = options.value("stride", std::size_t{0});
  result.pad_to_max_length = options.contains("padding");
  if (options.contains("max_length")) result.max_length = options["max_length"].get<std::size_t>();
  const std::string truncation = options.value("truncation", "");
  if (truncation == "longest_first") result.truncation = Truncation::longest_first;
  if (truncation == "only_first") result.truncation = Truncation::only_first;
  if (truncation == "only_second") result.truncation = Truncation::only_second;
  return result;
}

std::string case_difference(const Tokenizer& tokenizer, const json& example) {
  Input input{example["text"], std::nullopt};
  if (!example["text_pair"].is_null()) input.text_pair = example["text_pair"].get<std::string>();
  const json& result = example["result"];
  const Encoding encoding = tokenizer.encode(input, options_of(example["options"]));
  if (std::string what = difference(encoding, result); !what.empty()) return what;
  if (encoding.overflow.size() != result["overflow"].size()) {
    return std::to_string(encoding.overflow.size()) + " windows instead of " +
           std::to_string(result["overflow"].size());
  }
  for (std::size_t i = 0; i < encoding.overflow.size(); ++i) {
    if (std::string what = difference(encoding.overflow[i], result["overflow"][i]); !what.empty())
      return what;
  }
  if (tokenizer.decode(encoding.ids) != result["decoded"].get<std::string>())
    return "decoded: " + tokenizer.decode(encoding.ids);
  if (tokenizer.decode(encoding.ids, false) != result["decoded_all"].get<std::string>())
    return "decoded with special tokens";
  return {};
}

void check_cases(const std::filesystem::path& file) {
  const TextCases cases(file);
  std::vector<std::string> different;
  for (const json& example : cases.content["cases"]) {
    std::string what;
    try {
      what = case_difference(cases.tokenizers.at(example["tokenizer"]), example);
    } catch (const Error& error) {
      what = error.what();
    }
    if (what.empty()) continue;
    json input = example;
    input.erase("result");
    different.push_back("\n" + input.dump(-1, ' ', true) + "\n" + what);
  }
  CHECK(cases.content["cases"].size() >= 200);
  CAPTURE(different);
  CHECK(different.empty());
}

TEST_CASE("encodings are those of Hugging Face's tokenizers", "[text-cases]") {
  if (const char* other = std::getenv("HEADLIGHT_TEXT_CASES")) {
    check_cases(other);
    return;
  }
  check_cases(text_data() / "cases.json");
  check_cases(text_data() / "model_cases.json");
}

}  // namespace
}  // namespace headlight::test
