// DistilBERT (Sanh et al. 2019).
#include "model/families/families.h"
#include "model/families/parts.h"

namespace headlight {
namespace {

using Kind = Head::Kind;

const LayerNames kLayerNames{
    .query = ".attention.q_lin",
    .key = ".attention.k_lin",
    .value = ".attention.v_lin",
    .attention_output = ".attention.out_lin",
    .attention_norm = ".sa_layer_norm",
    .intermediate = ".ffn.lin1",
    .output = ".ffn.lin2",
    .output_norm = ".output_layer_norm",
};

constexpr HeadSpec kHeads[] = {
    {.architecture = "ForSequenceClassification",
     .kind = Kind::sequence_classification,
     .dense = "pre_classifier",
     .activation = Activation::relu,
     .output = "classifier"},
    kTokenClassifier,
    kQuestionAnswering,
    {.architecture = "ForMaskedLM",
     .kind = Kind::masked_lm,
     .dense = "vocab_transform",
     .norm = "vocab_layer_norm",
     .bias = "vocab_projector.bias"},
};

}  // namespace

void build_distilbert(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  // sinusoidal_pos_embds says how the positions' table was made; it is in the checkpoint either way.
  const LayerSizes sizes = read_sizes(config, model,
                                      {.hidden_size = "dim",
                                       .num_hidden_layers = "n_layers",
                                       .num_attention_heads = "n_heads",
                                       .intermediate_size = "hidden_dim",
                                       .hidden_act = "activation",
                                       .eps = nullptr});
  map.set_prefix("distilbert.");
  auto embeddings = std::make_unique<SummedEmbeddings>(map, embedding_options(model, sizes));
  add_post_norm_layers(model, map, "transformer.layer.", kLayerNames, sizes, {});
  finish_model(config, model, map, find_head(config, "DistilBert", kHeads), sizes, std::move(embeddings));
}

}  // namespace headlight
