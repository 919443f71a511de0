// Masked words: what a masked language model would put in their places.
#pragma once

#include <memory>
#include <span>

#include "headlight.h"

namespace headlight {

// As Model::begin_fill_mask. Scores are the softmax over the whole vocabulary, whatever the targets. Throws
// E_TASK_MISMATCH where the model is no masked language model or its tokenizer has no mask token; E_INVALID_ARGUMENT
// for a text without a mask, or whose mask is cut off, and for a target that is not one token; E_TOO_LONG as
// options.text says.
std::unique_ptr<Task<FilledMasks>> begin_fill_mask(const Model& model, std::span<const Input> inputs,
                                                   const FillMaskOptions& options);

}  // namespace headlight
