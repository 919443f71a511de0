#include "explain/matrices.h"

#include <algorithm>

namespace headlight::explain {

void multiply(const Table& kernels, std::size_t n, const float* a, std::size_t rows, const float* b,
              const float* added, float* out) {
  Buffer panels(panels_size(n, n));
  pack_transposed({b, n, n}, n, panels.data());
  kernels.gemm_f32({.a = a,
                    .a_stride = n,
                    .rows = rows,
                    .panels = panels.data(),
                    .k = n,
                    .columns = n,
                    .out = out,
                    .out_stride = n,
                    .residual = added,
                    .residual_stride = n});
}

void add_mean(const float* matrices, std::size_t heads, std::size_t n, float weight, float* out) {
  const float share = weight / static_cast<float>(heads);
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < n * n; ++i) out[i] += share * matrices[h * n * n + i];
  }
}

Buffer handed_on(const Pass& pass, std::size_t layer) {
  const std::size_t n = pass.count();
  Buffer matrix(n * n);
  std::fill_n(matrix.data(), n * n, 0.0f);
  for (std::size_t i = 0; i < n; ++i) matrix.data()[i * n + i] = 0.5f;
  add_mean(pass.probabilities(), pass.heads(layer), n, 0.5f, matrix.data());
  return matrix;
}

void roll(const Table& kernels, const Buffer& matrix, std::size_t n, Tensor& product) {
  Tensor next{.data = {matrix.data(), matrix.data() + n * n}, .shape = {n, n}};
  if (!product.data.empty()) {
    multiply(kernels, n, matrix.data(), n, product.data.data(), nullptr, next.data.data());
  }
  product = std::move(next);
}

Tensor row_of_matrix(const Tensor& matrix, std::size_t row) {
  const std::size_t n = matrix.shape.back();
  const auto first = matrix.data.begin() + static_cast<std::ptrdiff_t>(row * n);
  return {.data = {first, first + static_cast<std::ptrdiff_t>(n)}, .shape = {n}};
}

}  // namespace headlight::explain
