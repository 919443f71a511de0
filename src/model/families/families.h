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

void build_bert(const ConfigFile& config, EncoderModel& model, WeightMap& map);

}  // namespace headlight
