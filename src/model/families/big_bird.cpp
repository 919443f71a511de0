// BigBird (Zaheer et al. 2020): BERT with block-sparse attention for long texts.
#include <cmath>

#include "concat.h"
#include "model/families/families.h"
#include "model/families/parts.h"

namespace headlight {
namespace {

constexpr HeadSpec kHeads[] = {dense_classifier(std::nullopt), kTokenClassifier,
                               bert_masked_lm("ForMaskedLM"), bert_masked_lm("ForPreTraining")};

}  // namespace

void build_big_bird(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  require_encoder(config);
  const LayerSizes sizes = read_sizes(config, model, {.default_act = "gelu_new"});
  const std::string attention = config.text_or("attention_type", "block_sparse");
  if (attention != "block_sparse" && attention != "original_full") {
    fail_unsupported_option({"attention_type \"", attention, "\" is not supported"});
  }
  model.type_vocab_size = config.size_or("type_vocab_size", 2);
  map.set_prefix("bert.");
  SummedEmbeddings::Options options = embedding_options(model, sizes);
  if (config.flag_or("rescale_embeddings", false))
    options.scale = std::sqrt(static_cast<float>(sizes.hidden_size));
  auto embeddings = std::make_unique<SummedEmbeddings>(map, options);
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
  finish_model(config, model, map, head, sizes, std::move(embeddings));
}

}  // namespace headlight
