// The logit that is explained: which it is, and what it competes with.
#pragma once

#include <span>
#include <vector>

#include "headlight.h"
#include "model/encoder.h"

namespace headlight::explain {

// Whether the target is a row of a head over all tokens, rather than one over the text.
bool is_of_token(const Head& head);

// Throws E_TASK_MISMATCH without a head, E_INVALID_ARGUMENT for what the head does not tell apart. Finds the mask token
// where the target's token is left out.
void check_target(const EncoderModel& model, std::span<const TokenInput> tokens, ExplainTarget& target);

// The target's place among the logits that it competes with: those of its row, or for question answering the start or
// end logits of all tokens. Fills in what the target left out.
std::size_t find_target(const Head& head, std::span<const float> logits, ExplainTarget& target);

// These logits from the ordinary forward pass with the options of target_forward_options().
std::vector<float> target_logits(const Head& head, const ForwardResult& result,
                                 std::span<const TokenInput> tokens, const ExplainTarget& target);
ForwardOptions target_forward_options(const EncoderModel& model, std::span<const TokenInput> tokens,
                                      const ExplainTarget& target, const ExplainOptions& options);

// The logit as a probability among those that it competes with; of a regression the logit itself.
float probability(const EncoderModel& model, std::span<const float> logits, std::size_t place);

}  // namespace headlight::explain
