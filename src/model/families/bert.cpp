// BERT (Devlin et al. 2019), and what is BERT by other sizes: MiniLM, TinyBERT. ERNIE (Sun et al. 2020), BERT with
// embeddings of tasks. NEZHA (Wei et al. 2019), BERT with sinusoidal relative positions.
#include "concat.h"
#include "model/families/families.h"
#include "model/families/parts.h"
#include "ops/sinusoidal_relative.h"

namespace headlight {
namespace {

// The scheme that acts on a layer's scores; null for absolute positions.
std::shared_ptr<PositionScheme> make_relative_key(const std::string& type, WeightMap& map,
                                                  const std::string& layer, std::size_t max_positions,
                                                  std::size_t head_size) {
  if (type == "absolute") return nullptr;
  const bool with_query = type == "relative_key_query";
  if (!with_query && type != "relative_key") {
    fail_unsupported_option({"position_embedding_type \"", type, "\" is not supported"});
  }
  return std::make_shared<RelativeKey>(map, concat({layer, ".attention.self.distance_embedding.weight"}),
                                       max_positions, head_size, with_query);
}

void finish(const ConfigFile& config, EncoderModel& model, WeightMap& map, std::string_view class_prefix,
            const LayerSizes& sizes, std::unique_ptr<SummedEmbeddings> embeddings) {
  const HeadSpec* head = find_head(config, class_prefix, kBertHeads);
  build_pooler(model, map, head, "pooler.dense", sizes.hidden_size);
  finish_model(config, model, map, head, sizes, std::move(embeddings));
}

// BERT and what differs from it in its embeddings only.
void build_like_bert(const ConfigFile& config, EncoderModel& model, WeightMap& map, const std::string& prefix,
                     std::string_view class_prefix, std::size_t task_types) {
  require_encoder(config);
  const LayerSizes sizes = read_sizes(config, model);
  model.type_vocab_size = config.size_or("type_vocab_size", 2);
  map.set_prefix(prefix);
  const std::string position_type = config.text_or("position_embedding_type", "absolute");
  SummedEmbeddings::Options options = embedding_options(model, sizes);
  if (position_type != "absolute") options.positions = 0;
  options.task_types = task_types;
  auto embeddings = std::make_unique<SummedEmbeddings>(map, options);
  for (std::size_t l = 0; l < model.info.num_hidden_layers; ++l) {
    const std::string name = concat({"encoder.layer.", l});
    const auto position = make_relative_key(position_type, map, name, model.max_positions, sizes.head_size());
    if (position) model.positions.push_back(position);
    model.layers.push_back(std::make_shared<PostNormLayer>(
        map, name, kBertLayerNames, sizes,
        PostNormLayer::Options{.pruned_heads = pruned_heads(model, l), .position = position.get()}));
  }
  finish(config, model, map, class_prefix, sizes, std::move(embeddings));
}

}  // namespace

void build_bert(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  build_like_bert(config, model, map, "bert.", "Bert", 0);
}

void build_ernie(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  const bool tasks = config.flag_or("use_task_id", false);
  build_like_bert(config, model, map, "ernie.", "Ernie",
                  tasks ? config.size_or("task_type_vocab_size", 3) : 0);
}

void build_nezha(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  require_encoder(config);
  const LayerSizes sizes = read_sizes(config, model);
  model.type_vocab_size = config.size_or("type_vocab_size", 2);
  map.set_prefix("nezha.");
  SummedEmbeddings::Options options = embedding_options(model, sizes);
  options.positions = 0;
  auto embeddings = std::make_unique<SummedEmbeddings>(map, options);
  const std::size_t reach = config.size_or("max_relative_position", 64);
  model.positions.push_back(std::make_shared<SinusoidalRelative>(sizes.head_size(), reach));
  add_post_norm_layers(model, map, "encoder.layer.", kBertLayerNames, sizes,
                       {.position = model.positions.back().get()});
  finish(config, model, map, "Nezha", sizes, std::move(embeddings));
}

}  // namespace headlight
