// BERT (Devlin et al. 2019), and what is BERT by other sizes: MiniLM, TinyBERT.
#include "model/families/families.h"
#include "model/heads.h"
#include "model/layers.h"

namespace headlight {
namespace {

using Kind = Head::Kind;
using Need = WeightMap::Need;

// Architectures by their heads; a bare encoder has none.
struct Architecture {
  std::string_view name;
  std::optional<Kind> head;
};

constexpr Architecture kArchitectures[] = {
    {"", std::nullopt},
    {"BertModel", std::nullopt},
    {"BertForSequenceClassification", Kind::sequence_classification},
    {"BertForTokenClassification", Kind::token_classification},
    {"BertForMaskedLM", Kind::masked_lm},
    {"BertForPreTraining", Kind::masked_lm},
    {"BertForNextSentencePrediction", Kind::next_sentence},
    {"BertForQuestionAnswering", Kind::question_answering},
};

std::optional<Kind> find_head(const std::string& architecture) {
  for (const Architecture& entry : kArchitectures) {
    if (entry.name == architecture) return entry.head;
  }
  fail_unsupported_option("The architecture \"" + architecture + "\" is not supported");
}

const LayerNames kLayerNames{
    .query = ".attention.self.query",
    .key = ".attention.self.key",
    .value = ".attention.self.value",
    .attention_output = ".attention.output.dense",
    .attention_norm = ".attention.output.LayerNorm",
    .intermediate = ".intermediate.dense",
    .output = ".output.dense",
    .output_norm = ".output.LayerNorm",
};

// The scheme that acts on the layer's scores; null for absolute positions.
std::shared_ptr<const PositionScheme> make_position(const std::string& type, WeightMap& map,
                                                    const std::string& layer, std::size_t max_positions,
                                                    std::size_t head_size) {
  if (type == "absolute") return nullptr;
  const bool with_query = type == "relative_key_query";
  if (!with_query && type != "relative_key") {
    fail_unsupported_option("position_embedding_type \"" + type + "\" is not supported");
  }
  return std::make_shared<RelativeKey>(map, layer + ".attention.self.distance_embedding.weight",
                                       max_positions, head_size, with_query);
}

}  // namespace

void build_bert(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  config.require("is_decoder", false);
  config.require("add_cross_attention", false);
  const LayerSizes sizes{.hidden_size = config.size("hidden_size"),
                         .num_attention_heads = config.size("num_attention_heads"),
                         .intermediate_size = config.size("intermediate_size"),
                         .hidden_act = config.activation_or("hidden_act", "gelu"),
                         .layer_norm_eps = config.positive_or("layer_norm_eps", 1e-12f)};
  const std::size_t hidden = sizes.hidden_size;
  if (hidden % sizes.num_attention_heads != 0) {
    fail_config("hidden_size " + std::to_string(hidden) + " is not a multiple of num_attention_heads " +
                std::to_string(sizes.num_attention_heads));
  }
  const std::size_t layers = config.size("num_hidden_layers", ConfigFile::kMaxLayers);
  const std::size_t vocab_size = config.size("vocab_size");
  const std::string position_type = config.text_or("position_embedding_type", "absolute");
  model.max_positions = config.size("max_position_embeddings");
  model.type_vocab_size = config.size_or("type_vocab_size", 2);
  model.info.num_hidden_layers = layers;
  model.info.num_attention_heads = sizes.num_attention_heads;
  model.info.hidden_size = hidden;
  model.info.intermediate_size = sizes.intermediate_size;
  model.info.vocab_size = vocab_size;

  map.set_prefix("bert.");
  map.add_alias("LayerNorm.gamma", "LayerNorm.weight");
  map.add_alias("LayerNorm.beta", "LayerNorm.bias");

  auto embeddings = std::make_unique<SummedEmbeddings>();
  embeddings->bind(map, "embeddings",
                   {.vocab_size = vocab_size,
                    .type_vocab_size = model.type_vocab_size,
                    .max_position_embeddings = model.max_positions,
                    .hidden_size = hidden},
                   position_type == "absolute", sizes.layer_norm_eps);
  for (std::size_t l = 0; l < layers; ++l) {
    const std::string name = "encoder.layer." + std::to_string(l);
    model.positions.push_back(
        make_position(position_type, map, name, model.max_positions, hidden / sizes.num_attention_heads));
    model.layers.push_back(
        std::make_shared<PostNormLayer>(map, name, kLayerNames, sizes, model.positions.back().get()));
  }

  const std::optional<Kind> head = find_head(config.architecture());
  const bool pooled = head == Kind::sequence_classification || head == Kind::next_sentence;
  if (!head || pooled) {
    model.pooler.bind(map, "pooler.dense", hidden, Activation::tanh,
                      pooled ? Need::required : Need::optional);
  }
  if (head == Kind::masked_lm) {
    config.require("tie_word_embeddings", true);
    model.head = std::make_unique<MaskedLmHead>(
        map,
        MaskedLmHead::Names{.dense = "cls.predictions.transform.dense",
                            .norm = "cls.predictions.transform.LayerNorm",
                            .bias = "cls.predictions.bias"},
        hidden, vocab_size, sizes.hidden_act, sizes.layer_norm_eps, embeddings->words());
  } else if (head) {
    const bool labelled = head == Kind::sequence_classification || head == Kind::token_classification;
    model.head = std::make_unique<LinearHead>(map, *head,
                                              head == Kind::next_sentence        ? "cls.seq_relationship"
                                              : head == Kind::question_answering ? "qa_outputs"
                                                                                 : "classifier",
                                              hidden, labelled ? config.labels().size() : 2,
                                              pooled ? &model.pooler : nullptr);
  }
  model.embeddings = std::move(embeddings);
}

}  // namespace headlight
