// RoFormer (Su et al. 2021): rotary positions, which take the place of position embeddings.
#include "model/families/families.h"
#include "model/families/parts.h"

namespace headlight {
namespace {

constexpr HeadSpec kHeads[] = {dense_classifier(std::nullopt), kTokenClassifier, kQuestionAnswering,
                               bert_masked_lm("ForMaskedLM")};

constexpr double kTheta = 10000;

}  // namespace

void build_roformer(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  require_encoder(config);
  const LayerSizes sizes = read_sizes(config, model);
  model.type_vocab_size = config.size_or("type_vocab_size", 2);
  map.set_prefix("roformer.");
  SummedEmbeddings::Options options = embedding_options(model, sizes);
  set_embedding_size(options, config.size_or("embedding_size", sizes.hidden_size), "embeddings_project");
  options.positions = 0;
  auto embeddings = std::make_unique<SummedEmbeddings>(map, options);
  const auto rotary = make_rotary(sizes.head_size(), model.max_positions, kTheta, Rotary::Pairs::interleaved);
  model.shared.push_back(rotary);
  add_post_norm_layers(model, map, "encoder.layer.", kBertLayerNames, sizes,
                       {.rotary = rotary.get(), .rotary_value = config.flag_or("rotary_value", false)});
  finish_model(config, model, map, find_head(config, "RoFormer", kHeads), sizes, std::move(embeddings));
}

}  // namespace headlight
