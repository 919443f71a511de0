// BigBird (Zaheer et al. 2020): BERT with block-sparse attention for long texts.
#include <cmath>

#include "concat.h"
#include "model/families/families.h"
#include "model/families/parts.h"

namespace headlight {
namespace {

using Kind = Head::Kind;

constexpr HeadSpec kHeads[] = {
    {.architecture = "ForSequenceClassification",
     .kind = Kind::sequence_classification,
     .dense = "classifier.dense",
     .output = "classifier.out_proj"},
    {.architecture = "ForTokenClassification", .kind = Kind::token_classification, .output = "classifier"},
    {.architecture = "ForMaskedLM",
     .kind = Kind::masked_lm,
     .dense = "cls.predictions.transform.dense",
     .norm = "cls.predictions.transform.LayerNorm",
     .bias = "cls.predictions.bias"},
    {.architecture = "ForPreTraining",
     .kind = Kind::masked_lm,
     .dense = "cls.predictions.transform.dense",
     .norm = "cls.predictions.transform.LayerNorm",
     .bias = "cls.predictions.bias"},
};

}  // namespace

void build_big_bird(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  require_encoder(config);
  const LayerSizes sizes = read_sizes(config, model, {.default_act = "gelu_new"});
  const std::string attention = config.text_or("attention_type", "block_sparse");
  if (attention != "block_sparse" && attention != "original_full") {
    fail_unsupported_option(concat({"attention_type \"", attention, "\" is not supported"}));
  }
  model.type_vocab_size = config.size_or("type_vocab_size", 2);
  map.set_prefix("bert.");
  const float scale =
      config.flag_or("rescale_embeddings", false) ? std::sqrt(static_cast<float>(sizes.hidden_size)) : 1;
  auto embeddings =
      std::make_unique<SummedEmbeddings>(map, SummedEmbeddings::Options{.vocab_size = model.info.vocab_size,
                                                                        .embedding_size = sizes.hidden_size,
                                                                        .hidden_size = sizes.hidden_size,
                                                                        .token_types = model.type_vocab_size,
                                                                        .positions = model.max_positions,
                                                                        .scale = scale,
                                                                        .norm = sizes.norm});
  std::shared_ptr<AttentionPattern> pattern;
  if (attention == "block_sparse") {
    pattern = std::make_shared<BlockSparsePattern>(config.size_or("block_size", 64),
                                                   config.index_or("num_random_blocks", 3));
    model.shared.push_back(pattern);
  }
  add_post_norm_layers(
      model, map, "encoder.layer.", kBertLayerNames, sizes,
      {.projection_bias = config.flag_or("use_bias", true) ? Linear::Bias::present : Linear::Bias::none,
       .pattern = pattern.get()});
  const HeadSpec* head = find_head(config, "BigBird", kHeads);
  // Heads do not read it, but it stands beside them.
  build_pooler(model, map, nullptr, "pooler", sizes.hidden_size);
  build_head(config, model, map, head,
             {.hidden_size = sizes.hidden_size,
              .embedding_size = sizes.hidden_size,
              .hidden_act = sizes.hidden_act,
              .norm = sizes.norm,
              .words = embeddings->words()});
  model.embeddings = std::move(embeddings);
}

}  // namespace headlight
