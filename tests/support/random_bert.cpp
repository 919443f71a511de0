#include "support/random_bert.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "support/files.h"

namespace headlight::test {
namespace {

constexpr std::int32_t kCls = 2, kSep = 3;
constexpr std::size_t kVocabulary = 67;

std::string vocabulary(std::size_t size) {
  std::string lines = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  for (char letter = 'a'; letter <= 'z'; ++letter) lines += std::string{letter} + "\n##" + letter + "\n";
  for (char digit = '0'; digit <= '9'; ++digit) lines += std::string{digit} + "\n";
  for (std::size_t i = kVocabulary; i < size; ++i) lines += "filler" + std::to_string(i) + "\n";
  return lines;
}

std::string five_digits(std::size_t number) {
  const std::string digits = std::to_string(number);
  return std::string(5 - digits.size(), '0') + digits;
}

// Weights that make attention neither flat nor one-hot: matrices keep the variance of what they multiply.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  Tensor matrix(std::size_t rows, std::size_t columns) {
    return normal({rows, columns}, 0, 1 / std::sqrt(static_cast<float>(columns)));
  }
  Tensor table(std::size_t rows, std::size_t columns) { return normal({rows, columns}, 0, 1); }
  Tensor bias(std::size_t size) { return normal({size}, 0, 0.1f); }
  Tensor gain(std::size_t size) { return normal({size}, 1, 0.1f); }

 private:
  Tensor normal(std::vector<std::size_t> shape, float mean, float deviation) {
    std::normal_distribution<float> distribution(mean, deviation);
    Tensor tensor{{}, std::move(shape)};
    std::size_t size = 1;
    for (const std::size_t extent : tensor.shape) size *= extent;
    while (tensor.data.size() < size) tensor.data.push_back(distribution(random_));
    return tensor;
  }

  std::mt19937 random_;
};

}  // namespace

nlohmann::json config_of(const RandomBert& model) {
  nlohmann::json config = {{"model_type", "bert"},
                           {"architectures", {model.architecture}},
                           {"hidden_size", model.hidden_size},
                           {"num_hidden_layers", model.num_hidden_layers},
                           {"num_attention_heads", model.num_attention_heads},
                           {"intermediate_size", model.intermediate_size},
                           {"vocab_size", model.vocab_size},
                           {"max_position_embeddings", model.max_position_embeddings},
                           {"type_vocab_size", 2},
                           {"pad_token_id", 0},
                           {"hidden_act", model.hidden_act},
                           {"position_embedding_type", model.position_embedding_type},
                           {"layer_norm_eps", model.layer_norm_eps}};
  for (std::size_t i = 0; i < model.num_labels; ++i) {
    config["id2label"][std::to_string(i)] = "label " + std::to_string(i);
  }
  return config;
}

Tensors tensors_of(const RandomBert& model) {
  Generator generate(model.seed);
  Tensors tensors;
  const std::size_t hidden = model.hidden_size, head_size = hidden / model.num_attention_heads;
  const auto linear = [&](const std::string& name, std::size_t in, std::size_t out) {
    tensors[name + ".weight"] = generate.matrix(out, in);
    tensors[name + ".bias"] = generate.bias(out);
  };
  const auto layer_norm = [&](const std::string& name) {
    tensors[name + ".weight"] = generate.gain(hidden);
    tensors[name + ".bias"] = generate.bias(hidden);
  };

  const std::string& bert = model.prefix;
  tensors[bert + "embeddings.word_embeddings.weight"] = generate.table(model.vocab_size, hidden);
  tensors[bert + "embeddings.position_embeddings.weight"] =
      generate.table(model.max_position_embeddings, hidden);
  tensors[bert + "embeddings.token_type_embeddings.weight"] = generate.table(2, hidden);
  layer_norm(bert + "embeddings.LayerNorm");
  for (std::size_t i = 0; i < model.num_hidden_layers; ++i) {
    const std::string layer = bert + "encoder.layer." + std::to_string(i) + ".";
    for (const char* part : {"query", "key", "value"})
      linear(layer + "attention.self." + part, hidden, hidden);
    if (model.position_embedding_type != "absolute") {
      tensors[layer + "attention.self.distance_embedding.weight"] =
          generate.table(2 * model.max_position_embeddings - 1, head_size);
    }
    linear(layer + "attention.output.dense", hidden, hidden);
    layer_norm(layer + "attention.output.LayerNorm");
    linear(layer + "intermediate.dense", hidden, model.intermediate_size);
    linear(layer + "output.dense", model.intermediate_size, hidden);
    layer_norm(layer + "output.LayerNorm");
  }

  const std::string& kind = model.architecture;
  if (kind == "BertForSequenceClassification" || kind == "BertForNextSentencePrediction" ||
      kind == "BertModel") {
    linear(bert + "pooler.dense", hidden, hidden);
  }
  if (kind == "BertForSequenceClassification" || kind == "BertForTokenClassification") {
    linear("classifier", hidden, model.num_labels);
  } else if (kind == "BertForNextSentencePrediction") {
    linear("cls.seq_relationship", hidden, 2);
  } else if (kind == "BertForQuestionAnswering") {
    linear("qa_outputs", hidden, 2);
  } else if (kind == "BertForMaskedLM") {
    linear("cls.predictions.transform.dense", hidden, hidden);
    layer_norm("cls.predictions.transform.LayerNorm");
    tensors["cls.predictions.bias"] = generate.bias(model.vocab_size);
  }
  return tensors;
}

void write_small_files(const std::filesystem::path& folder, const nlohmann::json& config) {
  write_file(folder / "config.json", config.dump());
  write_file(folder / "tokenizer_config.json",
             R"({"tokenizer_class": "BertTokenizer", "do_lower_case": true})");
  const std::size_t vocab_size =
      config["vocab_size"].is_number_unsigned() ? config["vocab_size"].get<std::size_t>() : 0;
  write_file(folder / "vocab.txt", vocabulary(std::min<std::size_t>(vocab_size, 1 << 16)));
}

void write_bert(const std::filesystem::path& folder, const RandomBert& model) {
  write_small_files(folder, config_of(model));
  write_tensors(folder / "model.safetensors", tensors_of(model));
}

void write_shards(const std::filesystem::path& folder, const Tensors& tensors, std::size_t count) {
  std::vector<Tensors> shards(count);
  nlohmann::json index = {{"metadata", {{"total_size", 0}}}};
  std::size_t i = 0;
  for (const auto& [name, tensor] : tensors) {
    const std::size_t shard = i++ % count;
    shards[shard][name] = tensor;
    index["weight_map"][name] =
        "model-" + five_digits(shard + 1) + "-of-" + five_digits(count) + ".safetensors";
    index["metadata"]["total_size"] =
        index["metadata"]["total_size"].get<std::size_t>() + 4 * tensor.data.size();
  }
  for (std::size_t shard = 0; shard < count; ++shard) {
    write_tensors(folder / index["weight_map"][shards[shard].begin()->first].get<std::string>(),
                  shards[shard]);
  }
  write_file(folder / "model.safetensors.index.json", index.dump());
}

Encoding random_encoding(const RandomBert& model, std::size_t n, std::size_t padding, std::uint32_t seed) {
  std::mt19937 random(seed);
  Encoding encoding;
  for (std::size_t i = 0; i < n; ++i) {
    encoding.ids.push_back(static_cast<std::int32_t>(random() % model.vocab_size));
    encoding.type_ids.push_back(i > n / 2 ? 1 : 0);
  }
  encoding.ids.front() = kCls;
  if (n > 1) encoding.ids.back() = kSep;
  encoding.attention_mask.assign(n, 1);
  for (std::vector<std::int32_t>* values : {&encoding.ids, &encoding.type_ids, &encoding.attention_mask}) {
    values->resize(n + padding, 0);
  }
  return encoding;
}

}  // namespace headlight::test
