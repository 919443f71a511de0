#include "tasks/fitting.h"

#include <algorithm>
#include <string_view>

#include "model/encoder.h"

namespace headlight {

std::vector<std::string> fitting_tasks(const EncoderModel& model) {
  std::vector<std::string> tasks;
  if (model.head) {
    switch (model.head->kind()) {
      case Head::Kind::sequence_classification:
        tasks.emplace_back("classify");
        if (entailment_label(model.info.labels) && model.info.labels.size() > 1)
          tasks.emplace_back("zeroShot");
        if (model.info.labels.size() == 1) tasks.emplace_back("rank");
        break;
      case Head::Kind::token_classification:
        tasks.emplace_back("entities");
        break;
      case Head::Kind::masked_lm:
        if (model.tokenizer.mask_id()) tasks.emplace_back("fillMask");
        break;
      case Head::Kind::next_sentence:
        tasks.emplace_back("nextSentence");
        break;
      case Head::Kind::question_answering:
        tasks.emplace_back("answer");
        break;
      case Head::Kind::replaced_token_detection:
        break;
    }
  }
  for (const char* task : {"embed", "attention", "forward"}) tasks.emplace_back(task);
  return tasks;
}

std::optional<std::size_t> entailment_label(std::span<const std::string> labels) {
  constexpr std::string_view kStart = "entail";
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string_view label = labels[i];
    if (label.size() >= kStart.size() &&
        std::equal(kStart.begin(), kStart.end(), label.begin(), [&](char b, char a) { return same(a, b); })) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace headlight
