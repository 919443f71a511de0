#include "tasks/classify.h"
#include "concat.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tasks/encode.h"
#include "tasks/grouped_task.h"

namespace headlight {
namespace {

// e^(x_i) / sum_j e^(x_j), shifted by the maximum so that nothing overflows.
std::vector<double> softmax(std::span<const float> logits) {
  const double max = *std::max_element(logits.begin(), logits.end());
  std::vector<double> scores;
  double sum = 0;
  for (const double logit : logits) sum += scores.emplace_back(std::exp(logit - max));
  for (double& score : scores) score /= sum;
  return scores;
}

std::vector<double> sigmoid(std::span<const float> logits) {
  std::vector<double> scores;
  for (const double logit : logits) scores.push_back(1 / (1 + std::exp(-logit)));
  return scores;
}

std::vector<double> scores_of(std::span<const float> logits, const std::string& problem_type) {
  if (problem_type == "regression") return {logits.begin(), logits.end()};
  if (problem_type == "multi_label_classification" || logits.size() == 1) return sigmoid(logits);
  return softmax(logits);
}

class ClassifyTask final : public GroupedTask<Classification> {
 public:
  ClassifyTask(const Model& model, std::span<const Input> inputs, const ClassifyOptions& options)
      : GroupedTask(model), top_k_(options.top_k) {
    std::vector<Encoding> encodings;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      FittedEncoding fitted = encode_to_fit(model, inputs, i, options.overlong, options.parse_special_tokens);
      truncated_.push_back(std::move(fitted.truncated));
      // Thousands of inputs may wait: only what the encoder reads is kept of each.
      Encoding& encoding = encodings.emplace_back();
      encoding.ids = std::move(fitted.encoding.ids);
      encoding.type_ids = std::move(fitted.encoding.type_ids);
      encoding.attention_mask = std::move(fitted.encoding.attention_mask);
    }
    start(std::move(encodings));
  }

 private:
  ForwardOptions forward_options(std::size_t) const override { return {}; }

  Classification conclude(std::size_t input, ForwardResult forward) override {
    Classification result{label_scores(forward.logits->data, model().info()), std::move(truncated_[input])};
    if (top_k_ > 0 && top_k_ < result.labels.size()) result.labels.resize(top_k_);
    return result;
  }

  std::size_t top_k_;
  std::vector<std::vector<Cut>> truncated_;
};

}  // namespace

bool classifies(const ModelInfo& info) {
  return std::find(info.tasks.begin(), info.tasks.end(), "classify") != info.tasks.end();
}

std::vector<LabelScore> label_scores(std::span<const float> logits, const ModelInfo& info) {
  const std::vector<double> scores = scores_of(logits, info.problem_type);
  std::vector<LabelScore> result;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    result.push_back({info.labels[i], static_cast<float>(scores[i])});
  }
  // NaN, as broken weights give it, comes last: a comparison with it would be no order.
  std::stable_sort(result.begin(), result.end(), [](const LabelScore& a, const LabelScore& b) {
    return std::isnan(b.score) ? !std::isnan(a.score) : a.score > b.score;
  });
  return result;
}

std::unique_ptr<Task<Classification>> begin_classify(const Model& model, std::span<const Input> inputs,
                                                     const ClassifyOptions& options) {
  if (!classifies(model.info())) {
    throw Error(
        ErrorCode::E_TASK_MISMATCH,
        concat({"classify needs a sequence classification head; the model is ", describe(model.info())}));
  }
  return std::make_unique<ClassifyTask>(model, inputs, options);
}

}  // namespace headlight
