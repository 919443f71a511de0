// ALBERT (Lan et al. 2020): factorised embeddings, and groups of layers that share their weights.
#include "concat.h"
#include "model/families/families.h"
#include "model/families/parts.h"

namespace headlight {
namespace {

const LayerNames kLayerNames{
    .query = ".attention.query",
    .key = ".attention.key",
    .value = ".attention.value",
    .attention_output = ".attention.dense",
    .attention_norm = ".attention.LayerNorm",
    .intermediate = ".ffn",
    .output = ".ffn_output",
    .output_norm = ".full_layer_layer_norm",
};

constexpr HeadSpec masked_lm(std::string_view architecture) {
  return {.architecture = architecture,
          .kind = Head::Kind::masked_lm,
          .dense = "predictions.dense",
          .norm = "predictions.LayerNorm",
          .bias = "predictions.bias"};
}

constexpr HeadSpec kHeads[] = {kPooledClassifier, kTokenClassifier, kQuestionAnswering,
                               masked_lm("ForMaskedLM"), masked_lm("ForPreTraining")};

}  // namespace

void build_albert(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  config.require("position_embedding_type", "absolute");
  const LayerSizes sizes = read_sizes(config, model, {.default_act = "gelu_new"});
  const std::size_t layers = model.info.num_hidden_layers;
  const std::size_t groups = config.size_or("num_hidden_groups", 1);
  const std::size_t inner = config.size_or("inner_group_num", 1);
  if (groups > layers) fail_config("num_hidden_groups is greater than num_hidden_layers");
  model.type_vocab_size = config.size_or("type_vocab_size", 2);
  map.set_prefix("albert.");
  SummedEmbeddings::Options options = embedding_options(model, sizes);
  options.embedding_size = config.size_or("embedding_size", 128);
  options.projection = "encoder.embedding_hidden_mapping_in";
  auto embeddings = std::make_unique<SummedEmbeddings>(map, options);
  std::vector<std::shared_ptr<Layer>> distinct;  // [groups * inner]
  if (inner > ConfigFile::kMaxLayers || layers * inner > ConfigFile::kMaxLayers) {
    fail_config({"inner_group_num ", inner, " makes too many layers"});
  }
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t i = 0; i < inner; ++i) {
      const std::string name = concat({"encoder.albert_layer_groups.", g, ".albert_layers.", i});
      distinct.push_back(
          std::make_shared<PostNormLayer>(map, name, kLayerNames, sizes, PostNormLayer::Options{}));
    }
  }
  for (std::size_t l = 0; l < layers; ++l) {
    const auto first = distinct.begin() + static_cast<std::ptrdiff_t>(l * groups / layers * inner);
    model.layers.insert(model.layers.end(), first, first + static_cast<std::ptrdiff_t>(inner));
  }
  model.info.num_hidden_layers = model.layers.size();
  const HeadSpec* head = find_head(config, "Albert", kHeads);
  build_pooler(model, map, head, "pooler", sizes.hidden_size);
  finish_model(config, model, map, head, sizes, std::move(embeddings));
}

}  // namespace headlight
