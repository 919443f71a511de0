// Ranking by a cross-encoder: how well each document answers a query.
#pragma once

#include <memory>
#include <span>

#include "headlight.h"

namespace headlight {

// As Model::begin_rank: text is the query, text_pair a document; the result is the documents by falling score, equal
// ones in their order. Scores are those of label_scores() (tasks/classify.h). Throws E_TASK_MISMATCH unless the model
// classifies with a single label, E_INVALID_ARGUMENT for an input without text_pair, E_TOO_LONG as options.text says.
std::unique_ptr<Task<Ranked>> begin_rank(const Model& model, std::span<const Input> pairs,
                                         const RankOptions& options);

}  // namespace headlight
