#include "support/golden.h"

#include <algorithm>

#include "support/files.h"

namespace headlight::test {
namespace {

// tensor[index] for each index, along the first axis.
Tensor select(const Tensor& tensor, const std::vector<std::size_t>& indices) {
  const std::size_t size = tensor.data.size() / tensor.shape.at(0);
  Tensor chosen{{}, tensor.shape};
  chosen.shape[0] = indices.size();
  for (const std::size_t index : indices) {
    const auto begin = tensor.data.begin() + static_cast<std::ptrdiff_t>(index * size);
    chosen.data.insert(chosen.data.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  return chosen;
}

}  // namespace

Tensor stacked(const std::vector<Tensor>& layers) {
  Tensor all{{}, {layers.size()}};
  if (layers.empty()) return all;
  all.shape.insert(all.shape.end(), layers[0].shape.begin(), layers[0].shape.end());
  for (const Tensor& layer : layers) all.data.insert(all.data.end(), layer.data.begin(), layer.data.end());
  return all;
}

Tensor kept_layers(const GoldenCase& golden, const char* name, const Tensor& all) {
  if (!golden.json.contains(name)) return all;
  return select(all, golden.json[name].get<std::vector<std::size_t>>());
}

GoldenCase::GoldenCase(const std::filesystem::path& from)
    : folder(from),
      name(from.filename().string()),
      json(nlohmann::json::parse(read_file(from / "golden.json"))),
      config(nlohmann::json::parse(read_file(from / "config.json"))),
      tensors(read_tensors(from / "golden.safetensors")) {}

std::vector<std::filesystem::path> bert_cases(const std::filesystem::path& root) {
  std::vector<std::filesystem::path> cases;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (!std::filesystem::exists(entry.path() / "golden.json")) continue;
    if (nlohmann::json::parse(read_file(entry.path() / "config.json")).at("model_type") == "bert") {
      cases.push_back(entry.path());
    }
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

Input input_of(const nlohmann::json& input) {
  Input result{input.at("text"), std::nullopt};
  if (!input.at("text_pair").is_null()) result.text_pair = input["text_pair"];
  return result;
}

TokenizeOptions tokenize_options_of(const nlohmann::json& input) {
  TokenizeOptions result;
  const nlohmann::json& options = input.at("options");
  if (options.contains("max_length")) result.max_length = options["max_length"].get<std::size_t>();
  if (options.contains("truncation")) {
    result.truncation =
        options["truncation"] == "only_second" ? Truncation::only_second : Truncation::longest_first;
  }
  result.pad_to_max_length = options.value("padding", nlohmann::json()) == "max_length";
  return result;
}

Encoding encoding_of(const nlohmann::json& input) {
  Encoding encoding;
  encoding.ids = input.at("input_ids").get<std::vector<std::int32_t>>();
  encoding.type_ids.assign(encoding.ids.size(), 0);
  if (!input.at("token_type_ids").is_null())
    encoding.type_ids = input["token_type_ids"].get<std::vector<std::int32_t>>();
  encoding.attention_mask = input.at("attention_mask").get<std::vector<std::int32_t>>();
  return encoding;
}

ForwardOptions everything() {
  return {.logits = true,
          .last_hidden_state = true,
          .pooler_output = true,
          .hidden_states = true,
          .attentions = true,
          .queries_keys_values = true,
          .layers = {},
          .heads = {},
          .attention_queries = {}};
}

}  // namespace headlight::test
