#include "model/families/parts.h"
#include "concat.h"

namespace headlight {

using Kind = Head::Kind;

const LayerNames kBertLayerNames{
    .query = ".attention.self.query",
    .key = ".attention.self.key",
    .value = ".attention.self.value",
    .attention_output = ".attention.output.dense",
    .attention_norm = ".attention.output.LayerNorm",
    .intermediate = ".intermediate.dense",
    .output = ".output.dense",
    .output_norm = ".output.LayerNorm",
};

namespace {

constexpr HeadSpec kHeadsOfBert[] = {
    kPooledClassifier,
    kTokenClassifier,
    kQuestionAnswering,
    {.architecture = "ForNextSentencePrediction",
     .kind = Kind::next_sentence,
     .output = "cls.seq_relationship",
     .pooled = true},
    bert_masked_lm("ForMaskedLM"),
    bert_masked_lm("ForPreTraining"),
};

constexpr HeadSpec kHeadsOfRoberta[] = {
    dense_classifier(Activation::tanh),
    kTokenClassifier,
    kQuestionAnswering,
    {.architecture = "ForMaskedLM",
     .kind = Kind::masked_lm,
     .dense = "lm_head.dense",
     .activation = Activation::gelu,
     .norm = "lm_head.layer_norm",
     .bias = "lm_head.bias"},
};

bool is_sequence_head(Kind kind) {
  return kind == Kind::sequence_classification || kind == Kind::next_sentence;
}

std::size_t outputs(const ConfigFile& config, Kind kind) {
  switch (kind) {
    case Kind::sequence_classification:
    case Kind::token_classification:
      return config.labels().size();
    case Kind::replaced_token_detection:
      return 1;
    default:
      return 2;
  }
}

}  // namespace

const std::span<const HeadSpec> kBertHeads = kHeadsOfBert, kRobertaHeads = kHeadsOfRoberta;

SummedEmbeddings::Options embedding_options(const EncoderModel& model, const LayerSizes& sizes) {
  return {.vocab_size = model.info.vocab_size,
          .embedding_size = sizes.hidden_size,
          .hidden_size = sizes.hidden_size,
          .token_types = model.type_vocab_size,
          .positions = model.max_positions,
          .norm = sizes.norm};
}

void set_embedding_size(SummedEmbeddings::Options& options, std::size_t size, std::string_view projection) {
  options.embedding_size = size;
  if (size != options.hidden_size) options.projection = projection;
}

HeadContext head_context(const LayerSizes& sizes, const EmbeddingTable& words, std::size_t embedding_size) {
  return {.hidden_size = sizes.hidden_size,
          .embedding_size = embedding_size,
          .hidden_act = sizes.hidden_act,
          .norm = sizes.norm,
          .words = words};
}

LayerSizes read_sizes(const ConfigFile& config, EncoderModel& model, const SizeKeys& keys) {
  const LayerSizes sizes{
      .hidden_size = config.size(keys.hidden_size),
      .num_attention_heads = config.size(keys.num_attention_heads),
      .intermediate_size = config.size(keys.intermediate_size),
      .hidden_act = config.activation_or(keys.hidden_act, keys.default_act),
      .norm = {.eps = keys.eps ? config.positive_or(keys.eps, keys.default_eps) : keys.default_eps}};
  if (sizes.hidden_size % sizes.num_attention_heads != 0) {
    fail_config({keys.hidden_size, " ", sizes.hidden_size, " is not a multiple of ", keys.num_attention_heads,
                 " ", sizes.num_attention_heads});
  }
  model.info.num_hidden_layers = config.size(keys.num_hidden_layers, ConfigFile::kMaxLayers);
  model.info.num_attention_heads = sizes.num_attention_heads;
  model.info.pruned_heads = config.pruned_heads(model.info.num_hidden_layers, sizes.num_attention_heads);
  model.info.hidden_size = sizes.hidden_size;
  model.info.intermediate_size = sizes.intermediate_size;
  model.info.vocab_size = config.size("vocab_size");
  model.max_positions = config.size("max_position_embeddings");
  return sizes;
}

std::size_t pruned_heads(const EncoderModel& model, std::size_t layer) {
  return model.info.num_attention_heads - model.heads_of(layer).size();
}

void add_post_norm_layers(EncoderModel& model, WeightMap& map, const std::string& stem,
                          const LayerNames& names, const LayerSizes& sizes,
                          const PostNormLayer::Options& options) {
  PostNormLayer::Options of_layer = options;
  for (std::size_t l = 0; l < model.info.num_hidden_layers; ++l) {
    if (!options.position) of_layer.pruned_heads = pruned_heads(model, l);
    model.layers.push_back(
        std::make_shared<PostNormLayer>(map, stem + std::to_string(l), names, sizes, of_layer));
  }
}

std::shared_ptr<Rotary> make_rotary(std::size_t head_size, std::size_t max_positions, double theta,
                                    Rotary::Pairs pairs) {
  if (head_size % 2 != 0) {
    fail_config({"A head has ", head_size, " features, an odd number, which cannot be turned"});
  }
  return std::make_shared<Rotary>(head_size, max_positions, theta, pairs);
}

void require_encoder(const ConfigFile& config) {
  config.require_flag("is_decoder", false);
  config.require_flag("add_cross_attention", false);
}

const HeadSpec* find_head(const ConfigFile& config, std::string_view class_prefix,
                          std::span<const HeadSpec> heads) {
  const std::string architecture = config.architecture();
  if (architecture.empty()) return nullptr;
  if (architecture.starts_with(class_prefix)) {
    const std::string_view rest = std::string_view(architecture).substr(class_prefix.size());
    if (rest == "Model") return nullptr;
    for (const HeadSpec& head : heads) {
      if (head.architecture == rest) return &head;
    }
  }
  fail_unsupported_option({"The architecture \"", architecture, "\" is not supported"});
}

void build_pooler(EncoderModel& model, WeightMap& map, const HeadSpec* spec, const std::string& name,
                  std::size_t hidden_size) {
  if (spec && !spec->pooled) return;
  model.pooler = std::make_shared<DenseTransform>(
      map, DenseTransform::Options{.dense = name,
                                   .in_features = hidden_size,
                                   .out_features = hidden_size,
                                   .activation = Activation::tanh,
                                   .need = spec ? WeightMap::Need::required : WeightMap::Need::optional});
}

void build_head(const ConfigFile& config, EncoderModel& model, WeightMap& map, const HeadSpec* spec,
                const HeadContext& context) {
  if (!spec) return;
  const bool tied = spec->kind == Kind::masked_lm;
  std::size_t features = context.hidden_size;
  std::shared_ptr<const Transform> transform = spec->pooled ? model.pooler : nullptr;
  if (!spec->dense.empty()) {
    if (tied && context.tied_extra.empty()) features = context.embedding_size;
    transform = std::make_shared<DenseTransform>(
        map, DenseTransform::Options{.dense = std::string(spec->dense),
                                     .in_features = context.hidden_size,
                                     .out_features = features,
                                     .activation = spec->activation.value_or(context.hidden_act),
                                     .bias = context.dense_bias,
                                     .norm = std::string(spec->norm),
                                     .norm_options = context.norm});
  }
  if (tied) {
    config.require_flag("tie_word_embeddings", true);
    model.head = std::make_unique<TiedHead>(map, std::move(transform),
                                            TiedHead::Options{.bias = std::string(spec->bias),
                                                              .extra = std::string(context.tied_extra),
                                                              .in_features = features,
                                                              .vocab_size = model.info.vocab_size,
                                                              .embedding_size = context.embedding_size},
                                            context.words);
    return;
  }
  const Head::Reads reads = !is_sequence_head(spec->kind) ? Head::Reads::all_tokens
                            : spec->pooled                ? Head::Reads::first_token
                                                          : context.pooling;
  model.head = std::make_unique<LinearHead>(map, spec->kind, reads, std::move(transform),
                                            std::string(spec->output), features, outputs(config, spec->kind));
}

void finish_model(const ConfigFile& config, EncoderModel& model, WeightMap& map, const HeadSpec* head,
                  const LayerSizes& sizes, std::unique_ptr<SummedEmbeddings> embeddings) {
  build_head(config, model, map, head,
             head_context(sizes, embeddings->words(), embeddings->embedding_size()));
  model.embeddings = std::move(embeddings);
}

}  // namespace headlight
