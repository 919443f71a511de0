// The forward pass, planned as a list of small units of work so that it can stop and go on between them.
#pragma once

#include <memory>
#include <span>

#include "model/encoder.h"

namespace headlight {

// What Model::begin_forward does. The model must live longer than the task.
std::unique_ptr<Task<ForwardResult>> begin_forward(const EncoderModel& model,
                                                   std::span<const Encoding> encodings,
                                                   const ForwardOptions& options);

// Indices from 0 of the `count` layers or heads that `chosen` names, in its order; all of them when it is empty.
// Throws E_INVALID_ARGUMENT for one out of range. what: "layer", "head".
std::vector<std::size_t> resolve_indices(std::span<const int> chosen, std::size_t count,
                                         std::string_view what);

}  // namespace headlight
