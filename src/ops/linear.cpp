#include "ops/linear.h"

#include <algorithm>
#include <cassert>

namespace headlight {

using kernels::kPanelColumns;

std::size_t panels_size(std::size_t columns, std::size_t k) {
  return (columns + kPanelColumns - 1) / kPanelColumns * kPanelColumns * k;
}

void pack_panels(Rows matrix, std::size_t k, float* panels) {
  for (std::size_t first = 0; first < matrix.count; first += kPanelColumns) {
    const std::size_t width = std::min(kPanelColumns, matrix.count - first);
    float* panel = panels + first * k;
    for (std::size_t c = 0; c < kPanelColumns; ++c) {
      if (c < width) {
        const float* row = matrix.row(first + c);
        for (std::size_t p = 0; p < k; ++p) panel[p * kPanelColumns + c] = row[p];
      } else {
        for (std::size_t p = 0; p < k; ++p) panel[p * kPanelColumns + c] = 0;
      }
    }
  }
}

std::size_t PackedMatrix::bytes_for(std::size_t rows, std::size_t columns, Stored) const {
  return panels_size(rows, columns) * sizeof(float);
}

void PackedMatrix::allocate(Stored) { panels_.assign(panels_size(rows(), columns()), 0.0f); }

void PackedMatrix::set_row(std::size_t row, std::span<const float> values) {
  const std::size_t lane = row % kPanelColumns;
  float* panel = panels_.data() + (row - lane) * columns() + lane;
  for (std::size_t p = 0; p < values.size(); ++p) panel[p * kPanelColumns] = values[p];
}

void PackedMatrix::finish() {
  for (std::size_t row = 0; row < row_scales_.size(); ++row) {
    const std::size_t lane = row % kPanelColumns;
    float* panel = panels_.data() + (row - lane) * columns() + lane;
    for (std::size_t p = 0; p < columns(); ++p) panel[p * kPanelColumns] *= row_scales_[row];
  }
}

void Linear::bind(WeightMap& map, const std::string& name, std::size_t in_features, std::size_t out_features,
                  WeightMap::Need need) {
  map.add_matrix(name + ".weight", out_features, in_features, weight_, need);
  map.add_vector(name + ".bias", out_features, bias_, need);
}

void Linear::forward(const kernels::Table& kernels, Rows x, MutableRows y, const Rows* residual) const {
  assert(present());
  kernels.gemm_f32({.a = x.data,
                    .a_stride = x.stride,
                    .rows = x.count,
                    .panels = weight_.panels(),
                    .k = in_features(),
                    .columns = out_features(),
                    .out = y.data,
                    .out_stride = y.stride,
                    .bias = bias_.data(),
                    .residual = residual ? residual->data : nullptr,
                    .residual_stride = residual ? residual->stride : 0});
}

}  // namespace headlight
