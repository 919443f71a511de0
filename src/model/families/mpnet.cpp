// MPNet (Song et al. 2020): a bias for each distance, which all layers share.
#include <cmath>

#include "concat.h"
#include "model/families/families.h"
#include "model/families/parts.h"
#include "ops/relative_bias.h"

namespace headlight {
namespace {

const LayerNames kLayerNames{
    .query = ".attention.attn.q",
    .key = ".attention.attn.k",
    .value = ".attention.attn.v",
    .attention_output = ".attention.attn.o",
    .attention_norm = ".attention.LayerNorm",
    .intermediate = ".intermediate.dense",
    .output = ".output.dense",
    .output_norm = ".output.LayerNorm",
};

constexpr std::int32_t kPaddingIdx = 1;  // whatever the config's pad_token_id says

}  // namespace

void build_mpnet(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  const LayerSizes sizes = read_sizes(config, model);
  map.set_prefix("mpnet.");
  SummedEmbeddings::Options options = embedding_options(model, sizes);
  options.padding_idx = kPaddingIdx;
  auto embeddings = std::make_unique<SummedEmbeddings>(map, options);
  const std::size_t buckets = config.size_or("relative_attention_num_buckets", 32);
  if (buckets < RelativeBias::kBuckets) {
    fail_unsupported_option(
        {"relative_attention_num_buckets ", buckets, " is less than the 32 that the model uses"});
  }
  model.positions.push_back(std::make_shared<RelativeBias>(
      map, "encoder.relative_attention_bias.weight", buckets, sizes.num_attention_heads,
      1 / std::sqrt(static_cast<float>(sizes.head_size()))));
  add_post_norm_layers(model, map, "encoder.layer.", kLayerNames, sizes,
                       {.position = model.positions.back().get()});
  const HeadSpec* head = find_head(config, "MPNet", kRobertaHeads);
  build_pooler(model, map, head, "pooler.dense", sizes.hidden_size);
  finish_model(config, model, map, head, sizes, std::move(embeddings));
}

}  // namespace headlight
