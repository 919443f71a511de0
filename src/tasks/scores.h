// From logits to scores.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "headlight.h"

namespace headlight {

// e^(x_i) / sum_j e^(x_j), shifted by the maximum so that nothing overflows. logits: not empty.
std::vector<double> softmax(std::span<const float> logits);

// 1 / (1 + e^(-x_i))
std::vector<double> sigmoid(std::span<const float> logits);

// Row i of a tensor [rows, columns].
std::span<const float> row_of(const Tensor& tensor, std::size_t i);

// Indices of the `count` best scores, by falling score; equal ones as they stand. NaN, as broken weights give it, comes
// last: a comparison with it would be no order.
std::vector<std::size_t> best_scores(std::span<const double> scores, std::size_t count);

// The `count` best of these labels and their scores, as best_scores().
std::vector<LabelScore> best_labels(std::span<const std::string> labels, std::span<const double> scores,
                                    std::size_t count);

}  // namespace headlight
