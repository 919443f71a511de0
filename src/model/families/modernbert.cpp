// ModernBERT (Warner et al. 2024): rotary positions, norms before, gated feed-forwards, and windows of attention in most
// layers.
#include "concat.h"
#include "model/families/families.h"
#include "model/families/parts.h"

namespace headlight {
namespace {

using Kind = Head::Kind;

// Every head is over this transform; a language model's scores are tied, the others' linear.
constexpr HeadSpec head(std::string_view architecture, Head::Kind kind, std::string_view bias = "") {
  const bool tied = kind == Head::Kind::masked_lm;
  return {.architecture = architecture,
          .kind = kind,
          .dense = "head.dense",
          .norm = "head.norm",
          .output = tied ? "" : "classifier",
          .bias = bias};
}

constexpr HeadSpec kHeads[] = {
    head("ForSequenceClassification", Kind::sequence_classification),
    head("ForTokenClassification", Kind::token_classification),
    head("ForQuestionAnswering", Kind::question_answering),
    head("ForMaskedLM", Kind::masked_lm, "decoder.bias"),
    head("ForMaskedLM", Kind::masked_lm),  // decoder_bias false
};

constexpr std::string_view kFull = "full_attention";
constexpr std::string_view kSliding = "sliding_attention";

// Which layers see everything: named one by one, or every n-th from the first on.
std::vector<bool> read_full_layers(const ConfigFile& config, std::size_t layers) {
  std::vector<bool> full(layers);
  if (config.has("layer_types")) {
    const std::vector<std::string> types = config.names("layer_types");
    if (types.size() != layers) fail_config("layer_types does not name one type for each layer");
    for (std::size_t l = 0; l < layers; ++l) {
      if (types[l] != kFull && types[l] != kSliding) {
        fail_unsupported_option({"layer_types \"", types[l], "\" is not supported"});
      }
      full[l] = types[l] == kFull;
    }
    return full;
  }
  const std::size_t every = config.size_or("global_attn_every_n_layers", 3);
  for (std::size_t l = 0; l < layers; ++l) full[l] = l % every == 0;
  return full;
}

// Rotations of longer texts that are not those of shorter ones continued. "type" is the older key.
void require_plain_rotation(const ConfigFile& rope) {
  const std::string type = rope.text_or("rope_type", rope.text_or("type", "default"));
  if (type != "default") fail_unsupported_option({"rope_type \"", type, "\" is not supported"});
}

float read_theta(const ConfigFile& config, std::string_view layer_type, std::string_view older_key,
                 float otherwise) {
  if (const auto scaling = config.object("rope_scaling")) require_plain_rotation(*scaling);
  if (const auto parameters = config.object("rope_parameters")) {
    if (const auto own = parameters->object(layer_type)) {
      require_plain_rotation(*own);
      return own->positive_or("rope_theta", otherwise);
    }
  }
  return config.positive_or(older_key, otherwise);
}

Linear::Bias bias(const ConfigFile& config, std::string_view key) {
  return config.flag_or(key, false) ? Linear::Bias::present : Linear::Bias::none;
}

}  // namespace

void build_modernbert(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  LayerSizes sizes =
      read_sizes(config, model, {.hidden_act = "hidden_activation", .eps = "norm_eps", .default_eps = 1e-5f});
  sizes.norm.bias = config.flag_or("norm_bias", false);
  map.set_prefix("model.");
  SummedEmbeddings::Options options = embedding_options(model, sizes);
  options.positions = 0;
  options.words = "embeddings.tok_embeddings";
  options.norm_name = "embeddings.norm";
  auto embeddings = std::make_unique<SummedEmbeddings>(map, options);
  const auto final_norm = std::make_shared<Norm>();
  final_norm->bind(map, "final_norm", sizes.hidden_size, sizes.norm);

  const std::size_t layers = model.info.num_hidden_layers;
  const std::vector<bool> full = read_full_layers(config, layers);
  // "local_attention" counts the keys on both sides.
  const auto window = std::make_shared<WindowPattern>(config.size_or("local_attention", 128) / 2);
  const auto rotary = [&](std::string_view type, std::string_view older_key, float theta) {
    return make_rotary(sizes.head_size(), model.max_positions, read_theta(config, type, older_key, theta),
                       Rotary::Pairs::halves);
  };
  const auto global_rotary = rotary(kFull, "global_rope_theta", 160000);
  const auto local_rotary = rotary(kSliding, "local_rope_theta", 10000);
  for (std::size_t l = 0; l < layers; ++l) {
    model.layers.push_back(std::make_shared<PreNormLayer>(
        map, concat({"layers.", l}), sizes,
        PreNormLayer::Options{.attention_bias = bias(config, "attention_bias"),
                              .mlp_bias = bias(config, "mlp_bias"),
                              .attention_norm = l > 0,
                              .pattern = full[l] ? nullptr : window.get(),
                              .rotary = full[l] ? global_rotary.get() : local_rotary.get(),
                              .final_norm = l + 1 == layers ? final_norm.get() : nullptr}));
  }
  model.shared.insert(model.shared.end(), {final_norm, window, global_rotary, local_rotary});

  const HeadSpec* head = find_head(config, "ModernBert", kHeads);
  if (head && head->kind == Kind::masked_lm && !config.flag_or("decoder_bias", true)) ++head;
  const std::string pooling = config.text_or("classifier_pooling", "cls");
  if (pooling != "cls" && pooling != "mean") {
    fail_unsupported_option({"classifier_pooling \"", pooling, "\" is not supported"});
  }
  HeadContext context = head_context(sizes, embeddings->words(), sizes.hidden_size);
  context.hidden_act = config.activation_or("classifier_activation", "gelu");
  if (pooling == "mean") context.pooling = Head::Reads::mean_token;
  context.dense_bias = bias(config, "classifier_bias");
  build_head(config, model, map, head, context);
  model.embeddings = std::move(embeddings);
}

}  // namespace headlight
