// Hugging Face BERT folders of any shape with random weights, for what no golden has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "headlight.h"
#include "support/tensor_file.h"

namespace headlight::test {

struct RandomBert {
  std::string architecture = "BertForSequenceClassification";
  std::size_t hidden_size = 16;
  std::size_t num_hidden_layers = 2;
  std::size_t num_attention_heads = 2;
  std::size_t intermediate_size = 37;
  std::size_t vocab_size = 67;  // at least the 67 tokens of write_bert's vocabulary
  std::size_t max_position_embeddings = 512;
  std::size_t num_labels = 3;
  std::string hidden_act = "gelu";
  std::string position_embedding_type = "absolute";
  double layer_norm_eps = 1e-12;
  std::string prefix = "bert.";  // of the encoder's tensors
  std::uint32_t seed = 1;
};

nlohmann::json config_of(const RandomBert& model);
Tensors tensors_of(const RandomBert& model);

// config.json, tokenizer_config.json, vocab.txt ([PAD] [UNK] [CLS] [SEP] [MASK], letters, ##letters, digits)
// and model.safetensors in float32.
void write_bert(const std::filesystem::path& folder, const RandomBert& model);
void write_small_files(const std::filesystem::path& folder, const nlohmann::json& config);

// The tensors in `count` files and their index, as save_pretrained names them.
void write_shards(const std::filesystem::path& folder, const Tensors& tensors, std::size_t count);

// n tokens from [CLS] to [SEP], with both token types and `padding` positions after them.
Encoding random_encoding(const RandomBert& model, std::size_t n, std::size_t padding = 0,
                         std::uint32_t seed = 1);

}  // namespace headlight::test
