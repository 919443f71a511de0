// RoBERTa (Liu et al. 2019), XLM-RoBERTa (Conneau et al. 2020), CamemBERT (Martin et al. 2020), and Longformer
// (Beltagy, Peters & Cohan 2020), which is RoBERTa with windows of attention.
#include "concat.h"
#include "model/families/families.h"
#include "model/families/parts.h"

namespace headlight {
namespace {

using Kind = Head::Kind;

// Sizes, embeddings and the head; the layers are the caller's.
struct Roberta {
  LayerSizes sizes;
  const HeadSpec* head;
};

Roberta build_all_but_layers(const ConfigFile& config, EncoderModel& model, WeightMap& map,
                             std::string_view class_prefix, const std::string& weights_prefix) {
  require_encoder(config);
  config.require("position_embedding_type", "absolute");
  const LayerSizes sizes = read_sizes(config, model);
  model.type_vocab_size = config.size_or("type_vocab_size", 1);
  map.set_prefix(weights_prefix);
  SummedEmbeddings::Options options = embedding_options(model, sizes);
  options.padding_idx = static_cast<std::int32_t>(config.index_or("pad_token_id", 1));
  auto embeddings = std::make_unique<SummedEmbeddings>(map, options);
  const HeadSpec* head = find_head(config, class_prefix, kRobertaHeads);
  build_pooler(model, map, head, "pooler.dense", sizes.hidden_size);
  finish_model(config, model, map, head, sizes, std::move(embeddings));
  return {sizes, head};
}

void build(const ConfigFile& config, EncoderModel& model, WeightMap& map, std::string_view class_prefix) {
  const Roberta parts = build_all_but_layers(config, model, map, class_prefix, "roberta.");
  add_post_norm_layers(model, map, "encoder.layer.", kBertLayerNames, parts.sizes, {});
}

class FirstToken : public GlobalTokens {
 public:
  std::vector<std::size_t> choose(std::span<const TokenInput>) const override { return {0}; }
};

// The question: all before the first separator.
class TokensBefore : public GlobalTokens {
 public:
  explicit TokensBefore(std::int32_t separator) : separator_(separator) {}
  std::vector<std::size_t> choose(std::span<const TokenInput> tokens) const override {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < tokens.size() && tokens[i].id != separator_; ++i) chosen.push_back(i);
    return chosen;
  }

 private:
  std::int32_t separator_;
};

}  // namespace

void build_roberta(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  build(config, model, map, "Roberta");
}

void build_xlm_roberta(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  build(config, model, map, "XLMRoberta");
}

void build_camembert(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  build(config, model, map, "Camembert");
}

void build_longformer(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  const Roberta parts = build_all_but_layers(config, model, map, "Longformer", "longformer.");
  const std::size_t layers = model.info.num_hidden_layers;
  const std::vector<std::size_t> windows = config.sizes("attention_window", layers);
  for (std::size_t l = 0; l < layers; ++l) {
    if (windows[l] % 2 != 0) fail_config({"attention_window ", windows[l], " is not even"});
    auto pattern = std::make_shared<WindowPattern>(windows[l] / 2);
    model.layers.push_back(std::make_shared<PostNormLayer>(
        map, concat({"encoder.layer.", l}), kBertLayerNames, parts.sizes,
        PostNormLayer::Options{.pattern = pattern.get(), .global_projections = true}));
    model.shared.push_back(std::move(pattern));
  }
  if (parts.head && parts.head->kind == Kind::sequence_classification) {
    model.global_tokens = std::make_unique<FirstToken>();
  } else if (parts.head && parts.head->kind == Kind::question_answering) {
    model.global_tokens =
        std::make_unique<TokensBefore>(static_cast<std::int32_t>(config.index_or("sep_token_id", 2)));
  }
}

}  // namespace headlight
