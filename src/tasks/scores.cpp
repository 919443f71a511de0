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

std::vector<std::size_t> best_scores(std::span<const double> scores, std::size_t count) {
  std::vector<std::size_t> order(scores.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto worse = [scores](std::size_t a, std::size_t b) {
    const bool a_known = !std::isnan(scores[a]), b_known = !std::isnan(scores[b]);
    if (a_known != b_known) return b_known;
    return scores[a] != scores[b] && a_known ? scores[a] < scores[b] : a > b;
  };
  std::make_heap(order.begin(), order.end(), worse);
  std::vector<std::size_t> best;
  for (auto end = order.end(); end != order.begin() && best.size() < count; --end) {
    std::pop_heap(order.begin(), end, worse);
    best.push_back(*(end - 1));
  }
  return best;
}

std::vector<LabelScore> best_labels(std::span<const std::string> labels, std::span<const double> scores,
                                    std::size_t count) {
  std::vector<LabelScore> best;
  for (const std::size_t i : best_scores(scores, count))
    best.push_back({labels[i], static_cast<float>(scores[i])});
  return best;
}

}  // namespace headlight
