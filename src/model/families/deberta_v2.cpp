// DeBERTa v2 and v3 (He et al. 2021; He, Gao & Chen 2021): disentangled attention; v2 has a convolution beside its first
// layer.
#include <cmath>

#include "concat.h"
#include "model/families/families.h"
#include "model/families/parts.h"
#include "ops/disentangled.h"

namespace headlight {
namespace {

using Kind = Head::Kind;

const LayerNames kLayerNames{
    .query = ".attention.self.query_proj",
    .key = ".attention.self.key_proj",
    .value = ".attention.self.value_proj",
    .attention_output = ".attention.output.dense",
    .attention_norm = ".attention.output.LayerNorm",
    .intermediate = ".intermediate.dense",
    .output = ".output.dense",
    .output_norm = ".output.LayerNorm",
};

constexpr HeadSpec kHeads[] = {
    {.architecture = "ForSequenceClassification",
     .kind = Kind::sequence_classification,
     .dense = "pooler.dense",
     .output = "classifier"},
    kTokenClassifier,
    kQuestionAnswering,
    bert_masked_lm("ForMaskedLM"),
};

// "p2c|c2p" in older configs, a list in newer ones.
struct Directions {
  bool content_to_position, position_to_content;
};

Directions read_directions(const ConfigFile& config) {
  Directions directions{};
  for (const std::string& direction : config.names("pos_att_type", '|')) {
    if (direction == "c2p") {
      directions.content_to_position = true;
    } else if (direction == "p2c") {
      directions.position_to_content = true;
    } else {
      fail_unsupported_option({"pos_att_type \"", direction, "\" is not supported"});
    }
  }
  return directions;
}

// A layer's own projections of the relative embeddings, where it does not share those of its tokens.
struct PositionProjections {
  Linear key, query;
};

class DisentangledLayers {
 public:
  DisentangledLayers(const ConfigFile& config, EncoderModel& model, WeightMap& map, const LayerSizes& sizes)
      : model_(model), map_(map), sizes_(sizes), directions_(read_directions(config)) {
    relative_ = config.flag_or("relative_attention", false);
    shared_keys_ = config.flag_or("share_att_key", false);
    if (!relative_) return;
    const std::size_t buckets = config.set_size_or("position_buckets", 0);
    const std::size_t farthest = config.set_size_or("max_relative_positions", model.max_positions);
    distances_ = std::make_shared<RelativeEmbeddings>(
        map, "encoder.rel_embeddings.weight",
        RelativeEmbeddings::Options{.span = buckets > 0 ? buckets : farthest,
                                    .buckets = buckets,
                                    .max_positions = farthest,
                                    .longest = model.max_positions,
                                    .hidden_size = sizes.hidden_size});
    const std::string norm = config.text_or("norm_rel_ebd", "none");
    if (norm == "layer_norm") {
      distances_->bind_norm(map, "encoder.LayerNorm", sizes.norm);
    } else if (norm != "none") {
      fail_unsupported_option({"norm_rel_ebd \"", norm, "\" is not supported"});
    }
    model.shared.push_back(distances_);
  }

  void add(std::size_t index, Convolution* convolution) {
    const std::string name = concat({"encoder.layer.", index});
    const int directions = directions_.content_to_position + directions_.position_to_content;
    const float scale =
        1 / std::sqrt(static_cast<float>(sizes_.head_size()) * static_cast<float>(1 + directions));
    auto layer = std::make_shared<PostNormLayer>(
        map_, name, kLayerNames, sizes_, PostNormLayer::Options{.scale = scale, .convolution = convolution});
    if (relative_ && directions > 0) add_position(name, *layer);
    model_.layers.push_back(std::move(layer));
  }

 private:
  void add_position(const std::string& name, PostNormLayer& layer) {
    const Linear* key = &layer.projections().key;
    const Linear* query = &layer.projections().query;
    if (!shared_keys_) {
      auto own = std::make_shared<PositionProjections>();
      const std::size_t hidden = sizes_.hidden_size;
      if (directions_.content_to_position) {
        own->key.bind(map_, concat({name, ".attention.self.pos_key_proj"}), hidden, hidden);
      }
      if (directions_.position_to_content) {
        own->query.bind(map_, concat({name, ".attention.self.pos_query_proj"}), hidden, hidden);
      }
      key = &own->key;
      query = &own->query;
      model_.shared.push_back(std::move(own));
    }
    model_.positions.push_back(std::make_shared<Disentangled>(
        *distances_, directions_.content_to_position ? key : nullptr,
        directions_.position_to_content ? query : nullptr, sizes_.num_attention_heads, sizes_.head_size()));
    layer.set_position(model_.positions.back().get());
  }

  EncoderModel& model_;
  WeightMap& map_;
  const LayerSizes& sizes_;
  Directions directions_;
  bool relative_ = false, shared_keys_ = false;
  std::shared_ptr<RelativeEmbeddings> distances_;
};

}  // namespace

void build_deberta_v2(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  const LayerSizes sizes = read_sizes(config, model, {.default_eps = 1e-7f});
  if (config.has("attention_head_size")) {
    config.require_number("attention_head_size", sizes.head_size());
  }
  model.type_vocab_size = config.index_or("type_vocab_size", 0);
  map.set_prefix("deberta.");
  SummedEmbeddings::Options options = embedding_options(model, sizes);
  set_embedding_size(options, config.size_or("embedding_size", sizes.hidden_size), "embeddings.embed_proj");
  options.projected_first = true;
  if (!config.flag_or("position_biased_input", true)) options.positions = 0;
  auto embeddings = std::make_unique<SummedEmbeddings>(map, options);

  std::shared_ptr<InputConvolution> convolution;
  if (const std::size_t kernel_size = config.index_or("conv_kernel_size", 0); kernel_size > 0) {
    config.require_number("conv_groups", 1);
    if (kernel_size % 2 == 0 || kernel_size > 31) {
      fail_unsupported_option({"conv_kernel_size ", kernel_size, " is not supported"});
    }
    convolution = std::make_shared<InputConvolution>(
        map, "encoder.conv",
        InputConvolution::Options{.hidden_size = sizes.hidden_size,
                                  .kernel_size = kernel_size,
                                  .activation = config.activation_or("conv_act", "tanh"),
                                  .norm = sizes.norm});
    model.shared.push_back(convolution);
  }
  DisentangledLayers layers(config, model, map, sizes);
  for (std::size_t l = 0; l < model.info.num_hidden_layers; ++l) {
    layers.add(l, l == 0 ? convolution.get() : nullptr);
  }

  const HeadSpec* head = find_head(config, "DebertaV2", kHeads);
  if (head && head->kind == Kind::masked_lm) config.require_flag("legacy", true);
  LayerSizes head_sizes = sizes;
  if (head && head->kind == Kind::sequence_classification) {
    head_sizes.hidden_act = config.activation_or("pooler_hidden_act", "gelu");
  }
  finish_model(config, model, map, head, head_sizes, std::move(embeddings));
}

}  // namespace headlight
