#include "model/head_mask.h"

#include <algorithm>
#include <utility>

#include "throw_error.h"

namespace headlight {

HeadMask::HeadMask(const EncoderModel& model, std::vector<float> values) : values_(std::move(values)) {
  if (values_.empty()) return;
  std::size_t heads = 0;
  for (const auto& layer : model.layers) {
    first_.push_back(heads);
    heads += layer->num_attention_heads();
  }
  if (values_.size() != heads) {
    throw_error(ErrorCode::E_INVALID_ARGUMENT,
                {"The head mask has ", values_.size(), " values: the model has ", heads, " heads in ",
                 model.layers.size(), " layers"});
  }
  if (!std::all_of(values_.begin(), values_.end(), [](float value) { return value >= 0 && value <= 1; })) {
    throw_error(ErrorCode::E_INVALID_ARGUMENT, "The head mask has a value that is not from 0 to 1");
  }
}

}  // namespace headlight
