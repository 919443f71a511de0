// MPNet (Song et al. 2020): a bias for each distance, which all layers share.
#include <cmath>

#include "concat.h"
#include "model/families/families.h"
#include "model/families/parts.h"
#include "ops/relative_bias.h"

namespace headlight {
namespace {

using Kind = Head::Kind;

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

constexpr HeadSpec kHeads[] = {
    {.architecture = "ForSequenceClassification",
     .kind = Kind::sequence_classification,
     .dense = "classifier.dense",
     .activation = Activation::tanh,
     .output = "classifier.out_proj"},
    {.architecture = "ForTokenClassification", .kind = Kind::token_classification, .output = "classifier"},
    {.architecture = "ForQuestionAnswering", .kind = Kind::question_answering, .output = "qa_outputs"},
    {.architecture = "ForMaskedLM",
     .kind = Kind::masked_lm,
     .dense = "lm_head.dense",
     .activation = Activation::gelu,
     .norm = "lm_head.layer_norm",
     .bias = "lm_head.bias"},
};

constexpr std::int32_t kPaddingIdx = 1;  // whatever the config's pad_token_id says

}  // namespace

void build_mpnet(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  const LayerSizes sizes = read_sizes(config, model);
  map.set_prefix("mpnet.");
  auto embeddings =
      std::make_unique<SummedEmbeddings>(map, SummedEmbeddings::Options{.vocab_size = model.info.vocab_size,
                                                                        .embedding_size = sizes.hidden_size,
                                                                        .hidden_size = sizes.hidden_size,
                                                                        .positions = model.max_positions,
                                                                        .padding_idx = kPaddingIdx,
                                                                        .norm = sizes.norm});
  const std::size_t buckets = config.size_or("relative_attention_num_buckets", 32);
  if (buckets < RelativeBias::kBuckets) {
    fail_unsupported_option(
        concat({"relative_attention_num_buckets ", buckets, " is less than the 32 that the model uses"}));
  }
  model.positions.push_back(std::make_shared<RelativeBias>(
      map, "encoder.relative_attention_bias.weight", buckets, sizes.num_attention_heads,
      1 / std::sqrt(static_cast<float>(sizes.head_size()))));
  add_post_norm_layers(model, map, "encoder.layer.", kLayerNames, sizes,
                       {.position = model.positions.back().get()});
  const HeadSpec* head = find_head(config, "MPNet", kHeads);
  build_pooler(model, map, head, "pooler.dense", sizes.hidden_size);
  build_head(config, model, map, head,
             {.hidden_size = sizes.hidden_size,
              .embedding_size = sizes.hidden_size,
              .hidden_act = sizes.hidden_act,
              .norm = sizes.norm,
              .words = embeddings->words()});
  model.embeddings = std::move(embeddings);
}

}  // namespace headlight
