// Square matrices over a sequence's tokens, query by key.
#pragma once

#include "explain/pass.h"

namespace headlight::explain {

// a [rows, n] times b [n, n], plus `added` [rows, n] where it is given -> out [rows, n], which none of them is.
void multiply(const Table& kernels, std::size_t n, const float* a, std::size_t rows, const float* b,
              const float* added, float* out);

// Adds `weight` times the mean of the heads' matrices [heads, n, n] to out [n, n].
void add_mean(const float* matrices, std::size_t heads, std::size_t n, float weight, float* out);

// What attention hands on in one layer, residual connection included: half of the heads' mean, half the identity.
//   0.5 mean_h A + 0.5 I   (Abnar & Zuidema 2020, "Quantifying Attention Flow in Transformers")
Buffer handed_on(const Pass& pass, std::size_t layer);

// product [n, n] = matrix product; without a product yet, the matrix.
void roll(const Table& kernels, const Buffer& matrix, std::size_t n, Tensor& product);

// One row [n] of a matrix [n, n].
Tensor row_of_matrix(const Tensor& matrix, std::size_t row);

}  // namespace headlight::explain
