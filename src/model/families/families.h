// One entry a family: how its config.json and its weights' names become an EncoderModel.
#pragma once

#include <string_view>

#include "model/config.h"
#include "model/encoder.h"
#include "weights/weight_map.h"

namespace headlight {

struct Family {
  std::string_view model_type;  // config.json's
  // Fills in embeddings, layers, pooler and head, the sizes of `info`, and binds every weight that it reads.
  // Throws E_INVALID_CONFIG, E_UNSUPPORTED_OPTION.
  void (*build)(const ConfigFile& config, EncoderModel& model, WeightMap& map);
};

// Throws E_UNSUPPORTED_FAMILY naming those that are supported.
const Family& find_family(std::string_view model_type);

void build_albert(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_bert(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_big_bird(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_camembert(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_deberta_v2(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_distilbert(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_electra(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_ernie(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_longformer(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_mobilebert(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_modernbert(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_mpnet(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_nezha(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_roberta(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_roformer(const ConfigFile& config, EncoderModel& model, WeightMap& map);
void build_xlm_roberta(const ConfigFile& config, EncoderModel& model, WeightMap& map);

}  // namespace headlight
