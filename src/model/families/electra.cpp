// ELECTRA (Clark et al. 2020): its embeddings may be narrower than the model; the discriminator finds replaced tokens.
#include "model/families/families.h"
#include "model/families/parts.h"

namespace headlight {
namespace {

using Kind = Head::Kind;

constexpr HeadSpec kHeads[] = {
    {.architecture = "ForSequenceClassification",
     .kind = Kind::sequence_classification,
     .dense = "classifier.dense",
     .activation = Activation::gelu,
     .output = "classifier.out_proj"},
    {.architecture = "ForTokenClassification", .kind = Kind::token_classification, .output = "classifier"},
    {.architecture = "ForQuestionAnswering", .kind = Kind::question_answering, .output = "qa_outputs"},
    {.architecture = "ForPreTraining",
     .kind = Kind::replaced_token_detection,
     .dense = "discriminator_predictions.dense",
     .output = "discriminator_predictions.dense_prediction"},
    {.architecture = "ForMaskedLM",
     .kind = Kind::masked_lm,
     .dense = "generator_predictions.dense",
     .activation = Activation::gelu,
     .norm = "generator_predictions.LayerNorm",
     .bias = "generator_lm_head.bias"},
};

}  // namespace

void build_electra(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  require_encoder(config);
  config.require("position_embedding_type", "absolute");
  const LayerSizes sizes = read_sizes(config, model);
  const std::size_t embedding_size = config.size_or("embedding_size", 128);
  model.type_vocab_size = config.size_or("type_vocab_size", 2);
  map.set_prefix("electra.");
  add_old_norm_names(map);
  auto embeddings = std::make_unique<SummedEmbeddings>(
      map, SummedEmbeddings::Options{
               .vocab_size = model.info.vocab_size,
               .embedding_size = embedding_size,
               .hidden_size = sizes.hidden_size,
               .token_types = model.type_vocab_size,
               .positions = model.max_positions,
               .norm = sizes.norm,
               .projection = embedding_size == sizes.hidden_size ? "" : "embeddings_project"});
  add_post_norm_layers(model, map, "encoder.layer.", kBertLayerNames, sizes, {});
  build_head(config, model, map, find_head(config, "Electra", kHeads),
             {.hidden_size = sizes.hidden_size,
              .embedding_size = embedding_size,
              .hidden_act = sizes.hidden_act,
              .norm = sizes.norm,
              .words = embeddings->words()});
  model.embeddings = std::move(embeddings);
}

}  // namespace headlight
