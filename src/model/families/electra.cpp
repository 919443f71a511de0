// ELECTRA (Clark et al. 2020): its embeddings may be narrower than the model; the discriminator finds replaced tokens.
#include "model/families/families.h"
#include "model/families/parts.h"

namespace headlight {
namespace {

using Kind = Head::Kind;

constexpr HeadSpec kHeads[] = {
    dense_classifier(Activation::gelu),
    kTokenClassifier,
    kQuestionAnswering,
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
  model.type_vocab_size = config.size_or("type_vocab_size", 2);
  map.set_prefix("electra.");
  SummedEmbeddings::Options options = embedding_options(model, sizes);
  set_embedding_size(options, config.size_or("embedding_size", 128), "embeddings_project");
  auto embeddings = std::make_unique<SummedEmbeddings>(map, options);
  add_post_norm_layers(model, map, "encoder.layer.", kBertLayerNames, sizes, {});
  finish_model(config, model, map, find_head(config, "Electra", kHeads), sizes, std::move(embeddings));
}

}  // namespace headlight
