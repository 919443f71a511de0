#include "tasks/classify.h"

#include <algorithm>
#include <utility>

#include "tasks/encode.h"
#include "tasks/grouped_task.h"
#include "tasks/scores.h"
#include "throw_error.h"

namespace headlight {
namespace {

ScoreFunction function_of(const ModelInfo& info, ScoreFunction wanted) {
  if (wanted != ScoreFunction::automatic) return wanted;
  if (info.problem_type == "regression") return ScoreFunction::none;
  const bool single = info.problem_type == "multi_label_classification" || info.labels.size() == 1;
  return single ? ScoreFunction::sigmoid : ScoreFunction::softmax;
}

// The mean of the passages' logits [labels].
std::vector<float> mean_logits(const std::vector<ForwardResult>& passages) {
  std::vector<float> mean(passages.front().logits->data.size());
  for (std::size_t i = 0; i < mean.size(); ++i) {
    double sum = 0;
    for (const ForwardResult& passage : passages) sum += passage.logits->data[i];
    mean[i] = static_cast<float>(sum / static_cast<double>(passages.size()));
  }
  return mean;
}

// A threshold that no probability, or every one, passes is a mistake.
void check_threshold(const ModelInfo& info, const ClassifyOptions& options) {
  if (!options.threshold || function_of(info, options.function) == ScoreFunction::none) return;
  if (*options.threshold >= 0 && *options.threshold <= 1) return;
  throw_error(ErrorCode::E_INVALID_ARGUMENT, "the threshold must be from 0 to 1, as the scores are");
}

class ClassifyTask final : public GroupedTask<Classification> {
 public:
  ClassifyTask(const Model& model, std::span<const Input> inputs, const ClassifyOptions& options)
      : GroupedTask(model, inputs, options.text), options_(options) {
    start();
  }

 private:
  Classification make_result(std::size_t input, std::vector<ForwardResult> passages) override {
    Classification result{label_scores(mean_logits(passages), model().info(), options_.function),
                          std::move(truncated(input))};
    if (options_.threshold) {
      std::erase_if(result.labels,
                    [&](const LabelScore& label) { return !(label.score >= *options_.threshold); });
    }
    if (options_.top_k > 0 && options_.top_k < result.labels.size()) result.labels.resize(options_.top_k);
    return result;
  }

  ClassifyOptions options_;
};

}  // namespace

bool classifies(const ModelInfo& info) { return fits(info, "classify"); }

std::vector<LabelScore> label_scores(std::span<const float> logits, const ModelInfo& info,
                                     ScoreFunction function) {
  return best_labels(info.labels, scores_by_label(logits, info, function), logits.size());
}

std::unique_ptr<Task<Classification>> begin_classify(const Model& model, std::span<const Input> inputs,
                                                     const ClassifyOptions& options) {
  require_task(model.info(), "classify", "a sequence classification head");
  check_threshold(model.info(), options);
  return std::make_unique<ClassifyTask>(model, inputs, options);
}

std::vector<double> scores_by_label(std::span<const float> logits, const ModelInfo& info,
                                    ScoreFunction function) {
  const ScoreFunction chosen = function_of(info, function);
  if (chosen == ScoreFunction::none) return {logits.begin(), logits.end()};
  return chosen == ScoreFunction::sigmoid ? sigmoid(logits) : softmax(logits);
}

}  // namespace headlight
