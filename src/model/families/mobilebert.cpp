// MobileBERT (Sun et al. 2020): trigram embeddings, bottlenecks, stacked feed-forwards, and affine maps as norms.
#include "concat.h"
#include "model/families/families.h"
#include "model/families/parts.h"

namespace headlight {

void build_mobilebert(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  LayerSizes sizes = read_sizes(config, model, {.default_act = "relu"});
  const Norm::Options layer_norm = sizes.norm;
  const std::string norm = config.text_or("normalization_type", "no_norm");
  if (norm != "no_norm" && norm != "layer_norm") {
    fail_unsupported_option({"normalization_type \"", norm, "\" is not supported"});
  }
  if (norm == "no_norm") sizes.norm.kind = Norm::Kind::no_norm;
  // transformers does not hand the config's eps to all norms: these have PyTorch's own.
  Norm::Options plain_norm = sizes.norm;
  plain_norm.eps = 1e-5f;
  const bool bottleneck = config.flag_or("use_bottleneck", true);
  const std::size_t narrow = bottleneck ? config.size_or("intra_bottleneck_size", 128) : sizes.hidden_size;
  if (narrow % sizes.num_attention_heads != 0) {
    fail_config({"intra_bottleneck_size ", narrow, " is not a multiple of num_attention_heads ",
                 sizes.num_attention_heads});
  }
  const std::size_t embedding_size = config.size_or("embedding_size", 128);
  if (embedding_size > sizes.hidden_size) fail_config("embedding_size is greater than hidden_size");
  model.type_vocab_size = config.size_or("type_vocab_size", 2);
  map.set_prefix("mobilebert.");

  std::unique_ptr<Embeddings> embeddings;
  const EmbeddingTable* words = nullptr;
  const bool trigram = config.flag_or("trigram_input", true);
  if (trigram || embedding_size != sizes.hidden_size) {
    auto projected = std::make_unique<TrigramEmbeddings>(
        map, TrigramEmbeddings::Options{.vocab_size = model.info.vocab_size,
                                        .embedding_size = embedding_size,
                                        .hidden_size = sizes.hidden_size,
                                        .token_types = model.type_vocab_size,
                                        .positions = model.max_positions,
                                        .neighbours = trigram,
                                        .norm = plain_norm});
    words = &projected->words();
    embeddings = std::move(projected);
  } else {
    SummedEmbeddings::Options options = embedding_options(model, sizes);
    options.norm = plain_norm;
    auto summed = std::make_unique<SummedEmbeddings>(map, options);
    words = &summed->words();
    embeddings = std::move(summed);
  }

  const BottleneckLayer::Options layer{
      .narrow_size = narrow,
      .feed_forwards = config.size_or("num_feedforward_networks", 4),
      .bottleneck = bottleneck,
      .narrow_attention = !bottleneck || config.flag_or("use_bottleneck_attention", false),
      .shared_queries_keys = config.flag_or("key_query_shared_bottleneck", true),
      .output_norm = plain_norm};
  if (layer.feed_forwards > ConfigFile::kMaxLayers) fail_config("num_feedforward_networks is too great");
  for (std::size_t l = 0; l < model.info.num_hidden_layers; ++l) {
    model.layers.push_back(
        std::make_shared<BottleneckLayer>(map, concat({"encoder.layer.", l}), sizes, layer));
  }

  const HeadSpec* head = find_head(config, "MobileBert", kBertHeads);
  if (config.flag_or("classifier_activation", true)) {
    build_pooler(model, map, head, "pooler.dense", sizes.hidden_size);
  } else if (!head || head->pooled) {
    model.pooler = std::make_shared<NoTransform>(sizes.hidden_size);
  }
  HeadContext context = head_context(sizes, *words, embedding_size);
  context.norm = layer_norm;  // the language model's head has a true one
  // The transform keeps the model's width; what exceeds the embeddings' meets a matrix of its own.
  if (embedding_size < sizes.hidden_size) context.tied_extra = "cls.predictions.dense.weight";
  build_head(config, model, map, head, context);
  model.embeddings = std::move(embeddings);
}

}  // namespace headlight
