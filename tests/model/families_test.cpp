// What a family refuses, and how the work of long texts grows.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <fstream>
#include <functional>

#include "headlight.h"
#include "support/files.h"
#include "support/golden_report.h"
#include "support/random_model.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A committed golden's folder with another config.
Error error_with(const char* golden, const std::function<void(json&)>& change) {
  const TemporaryFolder folder;
  for (const auto& entry : fs::directory_iterator(committed_golden() / golden)) {
    fs::copy(entry.path(), folder.path() / entry.path().filename());
  }
  json config = json::parse(read_file(folder.path() / "config.json"));
  change(config);
  write_file(folder.path() / "config.json", config.dump());
  return load_error(folder.path());
}

struct Refused {
  const char* golden;
  const char* key;
  json value;
  ErrorCode code;
};

TEST_CASE("an option that a family does not support is refused by name") {
  const std::vector<Refused> cases{
      {"bert-mlm", "position_embedding_type", "rotary", ErrorCode::E_UNSUPPORTED_OPTION},
      {"bert-mlm", "is_decoder", true, ErrorCode::E_UNSUPPORTED_OPTION},
      {"bert-mlm", "hidden_act", "mish", ErrorCode::E_UNSUPPORTED_OPTION},
      {"bert-mlm", "tie_word_embeddings", false, ErrorCode::E_UNSUPPORTED_OPTION},
      {"albert-mlm", "position_embedding_type", "relative_key", ErrorCode::E_UNSUPPORTED_OPTION},
      {"albert-mlm", "num_hidden_groups", 1000, ErrorCode::E_INVALID_CONFIG},
      {"albert-mlm", "inner_group_num", 100000, ErrorCode::E_INVALID_CONFIG},
      {"bigbirdsparse-seqcls", "attention_type", "sliding", ErrorCode::E_UNSUPPORTED_OPTION},
      {"bigbirdsparse-seqcls", "block_size", 0, ErrorCode::E_INVALID_CONFIG},
      {"debertav2-mlm", "pos_att_type", "p2c|p2p", ErrorCode::E_UNSUPPORTED_OPTION},
      {"debertav2-mlm", "norm_rel_ebd", "batch_norm", ErrorCode::E_UNSUPPORTED_OPTION},
      {"debertav2-mlm", "legacy", false, ErrorCode::E_UNSUPPORTED_OPTION},
      {"debertav2-tokcls", "conv_groups", 2, ErrorCode::E_UNSUPPORTED_OPTION},
      {"debertav2-tokcls", "conv_kernel_size", 4, ErrorCode::E_UNSUPPORTED_OPTION},
      {"longformer-qa", "attention_window", json::array({8, 3}), ErrorCode::E_INVALID_CONFIG},
      {"longformer-qa", "attention_window", json::array({8}), ErrorCode::E_INVALID_CONFIG},
      {"longformer-qa", "attention_window", "8", ErrorCode::E_INVALID_CONFIG},
      {"mobilebert-seqcls", "normalization_type", "rms", ErrorCode::E_UNSUPPORTED_OPTION},
      {"mobilebert-seqcls", "intra_bottleneck_size", 33, ErrorCode::E_INVALID_CONFIG},
      {"mobilebert-seqcls", "num_feedforward_networks", 1000000, ErrorCode::E_INVALID_CONFIG},
      {"modernbert-mlm", "layer_types", json::array({"full_attention"}), ErrorCode::E_INVALID_CONFIG},
      {"modernbert-seqcls", "classifier_pooling", "max", ErrorCode::E_UNSUPPORTED_OPTION},
      {"modernbert-mlm",
       "rope_scaling",
       {{"rope_type", "yarn"}, {"factor", 4}},
       ErrorCode::E_UNSUPPORTED_OPTION},
      {"modernbert-mlm",
       "rope_scaling",
       {{"type", "linear"}, {"factor", 2}},
       ErrorCode::E_UNSUPPORTED_OPTION},
      {"modernbert-seqcls",
       "rope_parameters",
       {{"full_attention", {{"rope_type", "yarn"}}}},
       ErrorCode::E_UNSUPPORTED_OPTION},
      {"mpnet-mlm", "relative_attention_num_buckets", 16, ErrorCode::E_UNSUPPORTED_OPTION},
      {"roberta-nli", "pad_token_id", -1, ErrorCode::E_INVALID_CONFIG},
      {"roberta-nli", "max_position_embeddings", 2, ErrorCode::E_INVALID_CONFIG},
      {"roberta-nli", "architectures", json::array({"RobertaForMultipleChoice"}),
       ErrorCode::E_UNSUPPORTED_OPTION},
      {"roberta-nli", "architectures", json::array({"BertModel"}), ErrorCode::E_UNSUPPORTED_OPTION},
      {"roformer-seqcls", "num_attention_heads", 16, ErrorCode::E_INVALID_CONFIG},  // 3 features a head
  };
  for (const Refused& refused : cases) {
    INFO(refused.golden << ": " << refused.key << " " << refused.value.dump());
    const Error error =
        error_with(refused.golden, [&](json& config) { config[refused.key] = refused.value; });
    CHECK(error.code_name() == Error(refused.code, "").code_name());
    CHECK(error.place().file == "config.json");
  }
}

TEST_CASE("a family that is not supported is refused with those that are") {
  const Error error = error_with("bert-mlm", [](json& config) { config["model_type"] = "deberta"; });
  CHECK(error.code() == ErrorCode::E_UNSUPPORTED_FAMILY);
  CHECK(error.message().find("\"deberta\"") != std::string::npos);
  CHECK(error.message().find("deberta-v2") != std::string::npos);
}

// Logits of a committed golden's folder with another config, for these ids.
std::vector<float> logits_with(const char* golden, const std::function<void(const fs::path&, json&)>& change,
                               std::vector<std::int32_t> ids) {
  const TemporaryFolder folder;
  for (const auto& entry : fs::directory_iterator(committed_golden() / golden)) {
    fs::copy(entry.path(), folder.path() / entry.path().filename());
  }
  json config = json::parse(read_file(folder.path() / "config.json"));
  change(folder.path(), config);
  write_file(folder.path() / "config.json", config.dump());
  Encoding encoding;
  encoding.type_ids.assign(ids.size(), 0);
  encoding.attention_mask.assign(ids.size(), 1);
  encoding.ids = std::move(ids);
  return Model::load(folder.path()).forward({&encoding, 1}).at(0).logits->data;
}

TEST_CASE("the old names of LayerNorm's parameters are read in every family") {
  for (const char* golden :
       {"distilbert-seqcls", "albert-mlm", "mpnet-mlm", "debertav2-mlm", "mobilebert-seqcls"}) {
    INFO(golden);
    std::size_t renamed = 0;
    const auto rename = [&](const fs::path& folder, json&) {
      SafetensorsFile weights(folder / "model.safetensors");
      json header = json::object();
      for (const auto& [name, tensor] : weights.header.items()) {
        std::string old = name;
        for (const auto& [part, old_part] : {std::pair{"LayerNorm.weight", "LayerNorm.gamma"},
                                             std::pair{"LayerNorm.bias", "LayerNorm.beta"}}) {
          if (!name.ends_with(part)) continue;
          old = name.substr(0, name.size() - std::string_view(part).size()) + old_part;
          ++renamed;
        }
        header[old] = tensor;
      }
      weights.header = header;
      write_file(folder / "model.safetensors", weights.bytes());
    };
    const std::vector<std::int32_t> ids{2, 10, 11, 12, 3};
    CHECK(logits_with(golden, rename, ids) == logits_with(golden, [](const fs::path&, json&) {}, ids));
    CHECK(renamed > 0);
  }
}

TEST_CASE("MobileBERT's true norms: the embeddings' and the layers' last have an eps of their own") {
  const auto change = [](const fs::path&, json& config) {
    config["normalization_type"] = "layer_norm";
    config["layer_norm_eps"] = 0.25;
  };
  const std::vector<float> logits = logits_with("mobilebert-seqcls", change, {2, 10, 20, 30, 40, 50, 3});
  // transformers 5.24
  REQUIRE(logits.size() == 2);
  CHECK(std::abs(logits[0] - -0.8160381f) < 1e-4f);
  CHECK(std::abs(logits[1] - -1.4103850f) < 1e-4f);
}

TEST_CASE("names of one activation mean the same") {
  const auto logits = [](const char* name) {
    return logits_with("bert-mlm", [&](const fs::path&, json& config) { config["hidden_act"] = name; },
                       {2, 10, 11, 3});
  };
  const std::vector<float> gelu = logits("gelu"), gelu_new = logits("gelu_new");
  CHECK(gelu != gelu_new);
  CHECK(logits("gelu_python") == gelu);
  for (const char* name : {"gelu_pytorch_tanh", "gelu_fast", "gelu_accurate"})
    CHECK(logits(name) == gelu_new);
}

TEST_CASE("task types and global tokens out of range are refused, and the model works on") {
  const Model model = Model::load(committed_golden() / "ernie-seqcls");
  const Encoding encoding = model.tokenizer().encode({.text = "ab", .text_pair = {}});
  ForwardOptions options;
  options.task_type_id = 3;
  CHECK(error_of([&] { model.forward({&encoding, 1}, options); }).code() == ErrorCode::E_INVALID_ARGUMENT);
  options = {};
  options.global_tokens = {{std::size_t{1000}}};
  CHECK(error_of([&] { model.forward({&encoding, 1}, options); }).code() == ErrorCode::E_INVALID_ARGUMENT);
  CHECK(model.forward({&encoding, 1}).at(0).logits);
}

json long_text_config(const char* model_type, const char* architecture) {
  return {{"model_type", model_type},
          {"architectures", {architecture}},
          {"hidden_size", 32},
          {"num_hidden_layers", 2},
          {"num_attention_heads", 2},
          {"intermediate_size", 64},
          {"vocab_size", 67},
          {"max_position_embeddings", 4098},
          {"type_vocab_size", 1},
          {"pad_token_id", 1},
          {"attention_window", 64},
          {"block_size", 16},
          {"local_attention", 64},
          {"global_attn_every_n_layers", 1000},
          {"id2label", {{"0", "no"}, {"1", "yes"}}}};
}

Encoding long_encoding(std::size_t n) {
  Encoding encoding;
  for (std::size_t i = 0; i < n; ++i) encoding.ids.push_back(static_cast<std::int32_t>(5 + i % 60));
  encoding.type_ids.assign(n, 0);
  encoding.attention_mask.assign(n, 1);
  return encoding;
}

TEST_CASE("work and compact attentions of sparse families grow with the length") {
  const std::pair<const char*, const char*> families[] = {
      {"longformer", "LongformerForSequenceClassification"}, {"big_bird", "BigBirdForTokenClassification"}};
  for (const auto& [model_type, architecture] : families) {
    INFO(model_type);
    const TemporaryFolder folder;
    write_random_model(folder.path(), long_text_config(model_type, architecture));
    const Model model = Model::load(folder.path());
    const auto measure = [&](std::size_t n) {
      const Encoding encoding = long_encoding(n);
      ForwardOptions options;
      options.compact_attentions = true;
      options.layers = {0};
      const auto run = model.begin_forward({&encoding, 1}, options);
      const std::uint64_t work = run->work_total();
      return std::pair{static_cast<double>(work),
                       static_cast<double>(run->result().at(0).compact_attentions.at(0).weights.data.size())};
    };
    const auto [short_work, short_weights] = measure(1024);
    const auto [long_work, long_weights] = measure(4096);
    CHECK(long_work / short_work <= 4.6);
    CHECK(long_weights / short_weights <= 4.6);
  }
}

TEST_CASE("a window as wide as the text gives what full attention gives") {
  const TemporaryFolder narrow, wide;
  json config = long_text_config("modernbert", "ModernBertForTokenClassification");
  config["hidden_activation"] = "gelu";
  write_random_model(narrow.path(), config);
  config["global_attn_every_n_layers"] = 1;
  write_random_model(wide.path(), config);
  const Model local = Model::load(narrow.path()), full = Model::load(wide.path());
  ForwardOptions options = everything();
  // The second layer's rotation has another base, so that the first alone can be compared.
  options.layers = {0};
  const Encoding encoding = long_encoding(33);  // the window reaches 32 keys to each side
  const ForwardResult a = local.forward({&encoding, 1}, options).at(0),
                      b = full.forward({&encoding, 1}, options).at(0);
  CHECK(a.attentions.at(0).data == b.attentions.at(0).data);
}

}  // namespace
}  // namespace headlight::test
