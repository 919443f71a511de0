// Which calls a model answers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

class EncoderModel;

// ModelInfo::tasks: what the head is for, then what fits every model. Needs the head, info.labels and the tokenizer.
std::vector<std::string> fitting_tasks(const EncoderModel& model);

// The first label that begins with "entail", in any case: that of a model for natural language inference.
std::optional<std::size_t> entailment_label(std::span<const std::string> labels);

}  // namespace headlight
