// Text classification: labels and scores of a text or a pair.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "headlight.h"

namespace headlight {

// As Model::begin_classify. Throws E_TASK_MISMATCH where the model does not classify, E_TOO_LONG as
// options.overlong says.
std::unique_ptr<Task<Classification>> begin_classify(const Model& model, std::span<const Input> inputs,
                                                     const ClassifyOptions& options);

// Whether the model has a head for sequence classification.
bool classifies(const ModelInfo& info);

// logits: [labels]. Scores by falling score, equal ones in the order of the labels. The automatic function is the one
// that Hugging Face's text-classification pipeline chooses: none for a regression, sigmoid for several labels
// that may hold at once and for a single label, softmax otherwise.
std::vector<LabelScore> label_scores(std::span<const float> logits, const ModelInfo& info,
                                     ScoreFunction function = ScoreFunction::automatic);

// The same scores, in the order of the labels.
std::vector<double> scores_by_label(std::span<const float> logits, const ModelInfo& info,
                                    ScoreFunction function = ScoreFunction::automatic);

}  // namespace headlight
