// Next sentence prediction: whether one text follows another.
#pragma once

#include <memory>
#include <span>

#include "headlight.h"

namespace headlight {

// As Model::begin_next_sentence. Throws E_TASK_MISMATCH where the model has no such head, E_INVALID_ARGUMENT for an
// input without text_pair, E_TOO_LONG as options say.
std::unique_ptr<Task<NextSentence>> begin_next_sentence(const Model& model, std::span<const Input> inputs,
                                                        const TextOptions& options);

}  // namespace headlight
