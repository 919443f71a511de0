// Labels of one's own, by a model for natural language inference: is the hypothesis "This example is LABEL." entailed?
#pragma once

#include <memory>
#include <span>
#include <string>

#include "headlight.h"

namespace headlight {

// As Model::begin_zero_shot. As Hugging Face's pipeline: scores are the softmax of the labels' entailment logits; with
// multi_label, and for a single label, of each label's contradiction and entailment. Contradiction is the model's first
// label, the last where entailment is the first. A text that is too long is cut, a hypothesis never.
// Throws E_TASK_MISMATCH where no label of the model begins with "entail"; E_INVALID_ARGUMENT for no labels, a template
// without {} and a pair of texts; E_TOO_LONG as options.text says.
std::unique_ptr<Task<Classification>> begin_zero_shot(const Model& model, std::span<const Input> inputs,
                                                      std::span<const std::string> labels,
                                                      const ZeroShotOptions& options);

}  // namespace headlight
