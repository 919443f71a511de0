// From hidden states to one vector, by sentence-transformers' names.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace headlight {

// rows [n, size] of hidden states; the first `skipped` tokens, a prompt's, do not take part but for "cls". Appends one
// vector [size] to out:
//   cls                    the first row
//   mean                   sum_i h_i / n
//   mean_sqrt_len_tokens   sum_i h_i / sqrt(n)
//   weightedmean           sum_i i h_i / sum_i i, i from 1 at the first of all rows
//   max                    the greatest of each column
//   lasttoken              the last row
void pool(std::string_view mode, std::span<const float> rows, std::size_t size, std::size_t skipped,
          std::vector<float>& out);

// To length 1; a vector of zeros stays as it is.
void normalize(std::span<float> vector);

}  // namespace headlight
