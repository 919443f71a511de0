// The explanations that a golden case holds against the engine's.
#pragma once

#include <map>
#include <string>

#include "support/golden_report.h"

namespace headlight::test {

// Of input i: "grad_embedding_output", "grad_attentions", "chefer_relevance", "attention_rollout", "ig_word_pad" and
// "ig_out_zero", those that the case has; within 1e-3 * max(1, max |x|).
std::map<std::string, Agreement> explain_agreement(const GoldenCase& golden, const Model& model,
                                                   std::size_t i);

}  // namespace headlight::test
