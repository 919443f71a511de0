// What families share: reading sizes from config.json, and heads as a table.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/config.h"
#include "model/embeddings.h"
#include "model/encoder.h"
#include "model/heads.h"
#include "model/layers.h"
#include "weights/weight_map.h"

namespace headlight {

// Names of config.json's keys and what they are where they are missing.
struct SizeKeys {
  const char* hidden_size = "hidden_size";
  const char* num_hidden_layers = "num_hidden_layers";
  const char* num_attention_heads = "num_attention_heads";
  const char* intermediate_size = "intermediate_size";
  const char* hidden_act = "hidden_act";
  const char* default_act = "gelu";
  const char* eps = "layer_norm_eps";  // null: the family's own, default_eps
  float default_eps = 1e-12f;
};

// The sizes of most families; also fills in those of `model.info` and max_positions.
LayerSizes read_sizes(const ConfigFile& config, EncoderModel& model, const SizeKeys& keys = {});

// A layer's parameters as BERT names them.
extern const LayerNames kBertLayerNames;

// How many heads a layer lacks.
std::size_t pruned_heads(const EncoderModel& model, std::size_t layer);

// A post-norm layer for each of the config's, "`stem`0" and so on, each with the same options but for its heads, of
// which it may lack some where no position scheme tells them apart.
void add_post_norm_layers(EncoderModel& model, WeightMap& map, const std::string& stem,
                          const LayerNames& names, const LayerSizes& sizes,
                          const PostNormLayer::Options& options);

// Throws E_INVALID_CONFIG for heads that have no pairs of features.
std::shared_ptr<Rotary> make_rotary(std::size_t head_size, std::size_t max_positions, double theta,
                                    Rotary::Pairs pairs);

// Decoders and cross attention are other models.
void require_encoder(const ConfigFile& config);

// One of a family's heads.
struct HeadSpec {
  std::string_view architecture;  // "ForMaskedLM": the class name after the family's
  Head::Kind kind;
  std::string_view dense = "";                // of the transform before the scores; empty: none
  std::optional<Activation> activation = {};  // of the transform; none: hidden_act
  std::string_view norm = "";                 // of the transform; empty: none
  std::string_view output = "";  // linear scores; a masked language model's are tied to the embeddings
  std::string_view bias = "";    // of tied scores
  bool pooled = false;           // over the model's pooler instead of a transform
};

// Heads that families have alike.
inline constexpr HeadSpec kPooledClassifier{.architecture = "ForSequenceClassification",
                                            .kind = Head::Kind::sequence_classification,
                                            .output = "classifier",
                                            .pooled = true};
inline constexpr HeadSpec kTokenClassifier{.architecture = "ForTokenClassification",
                                           .kind = Head::Kind::token_classification,
                                           .output = "classifier"};
inline constexpr HeadSpec kQuestionAnswering{
    .architecture = "ForQuestionAnswering", .kind = Head::Kind::question_answering, .output = "qa_outputs"};

// Classification by a transform of the first token. activation: none for hidden_act.
constexpr HeadSpec dense_classifier(std::optional<Activation> activation) {
  return {.architecture = "ForSequenceClassification",
          .kind = Head::Kind::sequence_classification,
          .dense = "classifier.dense",
          .activation = activation,
          .output = "classifier.out_proj"};
}

// BERT's masked language model, also that of "ForPreTraining".
constexpr HeadSpec bert_masked_lm(std::string_view architecture) {
  return {.architecture = architecture,
          .kind = Head::Kind::masked_lm,
          .dense = "cls.predictions.transform.dense",
          .norm = "cls.predictions.transform.LayerNorm",
          .bias = "cls.predictions.bias"};
}

// All heads of BERT and its closest kin, and of RoBERTa and its.
extern const std::span<const HeadSpec> kBertHeads, kRobertaHeads;

// Embeddings as wide as the model, with every table that it has rows for.
SummedEmbeddings::Options embedding_options(const EncoderModel& model, const LayerSizes& sizes);
// Embeddings of another width than the model go through `projection`; those of the same width through none.
void set_embedding_size(SummedEmbeddings::Options& options, std::size_t size, std::string_view projection);

struct HeadContext {
  std::size_t hidden_size;
  std::size_t embedding_size;
  Activation hidden_act;
  Norm::Options norm;
  const EmbeddingTable& words;
  Head::Reads pooling = Head::Reads::first_token;  // of sequence classification
  Linear::Bias dense_bias = Linear::Bias::present;
  // Tied scores over rows of the model's width: the matrix that the features beyond the embeddings' meet.
  std::string_view tied_extra = "";
};

HeadContext head_context(const LayerSizes& sizes, const EmbeddingTable& words, std::size_t embedding_size);

// The head that `architectures` names, from the table; null for the bare model ("Model", or no architecture).
const HeadSpec* find_head(const ConfigFile& config, std::string_view class_prefix,
                          std::span<const HeadSpec> heads);

// Binds it. A pooled head needs model.pooler.
void build_head(const ConfigFile& config, EncoderModel& model, WeightMap& map, const HeadSpec* spec,
                const HeadContext& context);

// BERT's pooler: dense and tanh over the first token, under `name`; for the bare model, which may lack its weights, and
// for pooled heads.
void build_pooler(EncoderModel& model, WeightMap& map, const HeadSpec* spec, const std::string& name,
                  std::size_t hidden_size);

// Binds the head over these embeddings, and hands them to the model.
void finish_model(const ConfigFile& config, EncoderModel& model, WeightMap& map, const HeadSpec* head,
                  const LayerSizes& sizes, std::unique_ptr<SummedEmbeddings> embeddings);

}  // namespace headlight
