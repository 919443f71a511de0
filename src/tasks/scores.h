// From logits to scores.
#pragma once

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

// By falling score, equal ones as they stand; NaN, as broken weights give it, comes last: a comparison with it would
// be no order.
void sort_by_score(std::vector<LabelScore>& labels);
bool scores_higher(double a, double b);

}  // namespace headlight
