// Golden cases: what Hugging Face's transformers computed, as golden.json and golden.safetensors in a model's
// folder.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "headlight.h"
#include "support/tensor_file.h"

namespace headlight::test {

struct GoldenCase {
  explicit GoldenCase(const std::filesystem::path& folder);

  std::filesystem::path folder;
  std::string name;
  nlohmann::json json;    // golden.json
  nlohmann::json config;  // config.json
  Tensors tensors;
};

// Folders of `root` with a case of the BERT family, in alphabetical order.
std::vector<std::filesystem::path> bert_cases(const std::filesystem::path& root);

// text and text_pair of an input of golden.json.
Input input_of(const nlohmann::json& input);

// Its options ("truncation", "max_length", "padding": "max_length") as the tokenizer takes them.
TokenizeOptions tokenize_options_of(const nlohmann::json& input);

// The encoding that golden.json holds.
Encoding encoding_of(const nlohmann::json& input);

// All that a ForwardResult can hold, but for the compact attentions.
ForwardOptions everything();

// One [layers, ...] tensor of the layers' own.
Tensor stacked(const std::vector<Tensor>& layers);

// Of hidden states and attentions a trimmed case keeps some layers only, and says which under `name`.
Tensor kept_layers(const GoldenCase& golden, const char* name, const Tensor& all);

}  // namespace headlight::test
