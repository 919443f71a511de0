#include "tasks/scores.h"

#include <algorithm>
#include <cmath>

namespace headlight {

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

std::span<const float> row_of(const Tensor& tensor, std::size_t i) {
  const std::size_t columns = tensor.shape.back();
  return std::span(tensor.data).subspan(i * columns, columns);
}

bool scores_higher(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a > b; }

void sort_by_score(std::vector<LabelScore>& labels) {
  std::stable_sort(labels.begin(), labels.end(),
                   [](const LabelScore& a, const LabelScore& b) { return scores_higher(a.score, b.score); });
}

}  // namespace headlight
