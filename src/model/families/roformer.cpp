// RoFormer (Su et al. 2021): rotary positions, which take the place of position embeddings.
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
    {.architecture = "ForQuestionAnswering", .kind = Kind::question_answering, .output = "qa_outputs"},
    {.architecture = "ForMaskedLM",
     .kind = Kind::masked_lm,
     .dense = "cls.predictions.transform.dense",
     .norm = "cls.predictions.transform.LayerNorm",
     .bias = "cls.predictions.bias"},
};

constexpr double kTheta = 10000;

}  // namespace

void build_roformer(const ConfigFile& config, EncoderModel& model, WeightMap& map) {
  require_encoder(config);
  const LayerSizes sizes = read_sizes(config, model);
  const std::size_t embedding_size = config.size_or("embedding_size", sizes.hidden_size);
  model.type_vocab_size = config.size_or("type_vocab_size", 2);
  map.set_prefix("roformer.");
  add_old_norm_names(map);
  auto embeddings = std::make_unique<SummedEmbeddings>(
      map, SummedEmbeddings::Options{
               .vocab_size = model.info.vocab_size,
               .embedding_size = embedding_size,
               .hidden_size = sizes.hidden_size,
               .token_types = model.type_vocab_size,
               .norm = sizes.norm,
               .projection = embedding_size == sizes.hidden_size ? "" : "embeddings_project"});
  const auto rotary = make_rotary(sizes.head_size(), model.max_positions, kTheta, Rotary::Pairs::interleaved);
  model.shared.push_back(rotary);
  add_post_norm_layers(model, map, "encoder.layer.", kBertLayerNames, sizes,
                       {.rotary = rotary.get(), .rotary_value = config.flag_or("rotary_value", false)});
  build_head(config, model, map, find_head(config, "RoFormer", kHeads),
             {.hidden_size = sizes.hidden_size,
              .embedding_size = embedding_size,
              .hidden_act = sizes.hidden_act,
              .norm = sizes.norm,
              .words = embeddings->words()});
  model.embeddings = std::move(embeddings);
}

}  // namespace headlight
