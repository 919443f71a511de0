#include "model/head_mask.h"

#include <algorithm>
#include <utility>

#include "throw_error.h"

namespace headlight {

HeadMask::HeadMask(const EncoderModel& model, std::vector<std::vector<float>> layers)
    : layers_(std::move(layers)) {
  if (layers_.empty()) return;
  if (layers_.size() != model.layers.size()) {
    throw_error(ErrorCode::E_INVALID_ARGUMENT,
                {"The head mask has ", layers_.size(), " layers, the model ", model.layers.size()});
  }
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    std::vector<float>& heads = layers_[l];
    if (heads.size() != model.info.num_attention_heads) {
      throw_error(ErrorCode::E_INVALID_ARGUMENT, {"The head mask has ", heads.size(), " heads in layer ", l,
                                                  ", the model ", model.info.num_attention_heads});
    }
    if (!std::all_of(heads.begin(), heads.end(), [](float value) { return value >= 0 && value <= 1; })) {
      throw_error(ErrorCode::E_INVALID_ARGUMENT,
                  {"The head mask has a value in layer ", l, " that is not from 0 to 1"});
    }
    if (model.info.pruned_heads.empty()) continue;
    std::vector<float> there;
    for (const std::size_t head : model.heads_of(l)) there.push_back(heads[head]);
    heads = std::move(there);
  }
}

}  // namespace headlight
