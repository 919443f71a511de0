#include "ops/linear.h"
#include "concat.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace headlight {

using kernels::kPanelColumns;

void mean_row(Rows rows, std::size_t columns, float* out) {
  std::fill_n(out, columns, 0.0f);
  for (std::size_t i = 0; i < rows.count; ++i) {
    for (std::size_t c = 0; c < columns; ++c) out[c] += rows.row(i)[c];
  }
  for (std::size_t c = 0; c < columns; ++c) out[c] /= static_cast<float>(rows.count);
}

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

void pack_transposed(Rows matrix, std::size_t columns, float* panels) {
  for (std::size_t first = 0; first < columns; first += kPanelColumns) {
    const std::size_t width = std::min(kPanelColumns, columns - first);
    float* panel = panels + first * matrix.count;
    for (std::size_t p = 0; p < matrix.count; ++p) {
      float* out = std::copy_n(matrix.row(p) + first, width, panel + p * kPanelColumns);
      std::fill_n(out, kPanelColumns - width, 0.0f);
    }
  }
}

namespace {

std::size_t round_up(std::size_t size, std::size_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

}  // namespace

const float* PanelView::panel(const kernels::Table& kernels, std::size_t first, Buffer& scratch) const {
  if (panels) return panels + first * inputs;
  const std::size_t filled = round_up(inputs, group);
  scratch.reserve(filled * kPanelColumns);
  kernels.dequantise_i8(codes + first * filled, scales + first, filled / group, scratch.data());
  return scratch.data();
}

void PanelView::transposed_panel(const kernels::Table& kernels, std::size_t first, float* out) const {
  const std::size_t width = std::min(kPanelColumns, inputs - first);
  const std::size_t blocks = round_up(outputs, kPanelColumns) / kPanelColumns;
  if (panels && width == kPanelColumns) {
    return kernels.transpose_f32(panels + first * kPanelColumns, inputs * kPanelColumns, blocks, out);
  }
  // A block of 8 outputs by 8 inputs, or fewer at the end.
  float values[kPanelColumns * kPanelColumns] = {};
  for (std::size_t block = 0; block < blocks; ++block, out += std::size(values)) {
    const std::size_t row = block * kPanelColumns;
    if (panels) {
      std::copy_n(panels + row * inputs + first * kPanelColumns, width * kPanelColumns, values);
    } else {
      const std::int8_t* from = codes + row * round_up(inputs, group) + first * kPanelColumns;
      kernels.dequantise_i8(from, scales + row, round_up(width, group) / group, values);
    }
    kernels.transpose_f32(values, 0, 1, out);
  }
}

void multiply_transposed(const kernels::Table& kernels, Rows dy, const PanelView& weight, std::size_t first,
                         std::size_t count, MutableRows dx, Buffer& scratch) {
  scratch.reserve(panels_size(weight.outputs, kPanelColumns));
  for (std::size_t p = first; p < first + count; p += kPanelColumns) {
    weight.transposed_panel(kernels, p, scratch.data());
    kernels.gemm_f32({.a = dy.data,
                      .a_stride = dy.stride,
                      .rows = dy.count,
                      .panels = scratch.data(),
                      .k = weight.outputs,
                      .columns = std::min(kPanelColumns, first + count - p),
                      .out = dx.data + p,
                      .out_stride = dx.stride,
                      .residual = dx.data + p,
                      .residual_stride = dx.stride});
  }
}

PanelView PackedMatrix::view() const {
  const bool values = kept() == Form::values;
  return {.panels = values ? panels_.data() : nullptr,
          .codes = codes_.data(),
          .scales = row_scales_.data(),
          .group = kernels().i8_group,
          .outputs = rows(),
          .inputs = columns()};
}

std::size_t PackedMatrix::bytes_for(std::size_t rows, std::size_t columns, Form kept) const {
  const std::size_t filled = round_up(rows, kPanelColumns);
  if (kept == Form::values) return filled * columns * sizeof(float);
  return filled * (round_up(columns, kernels().i8_group) + sizeof(std::int32_t) + sizeof(float));
}

void PackedMatrix::allocate() {
  const std::size_t filled = round_up(rows(), kPanelColumns);
  if (kept() == Form::values) {
    panels_.assign(filled * columns(), 0.0f);
    return;
  }
  codes_.assign(filled * round_up(columns(), kernels().i8_group), 0);
  sums_.assign(filled, 0);
  row_scales_.resize(filled);
}

void PackedMatrix::set_row(std::size_t row, std::span<const float> values) {
  const std::size_t lane = row % kPanelColumns;
  if (kept() == Form::values) {
    float* panel = panels_.data() + (row - lane) * columns();
    for (std::size_t p = 0; p < values.size(); ++p) panel[p * kPanelColumns + lane] = values[p];
    return;
  }
  const std::size_t group = kernels().i8_group;
  std::int8_t* panel = codes_.data() + (row - lane) * round_up(columns(), group);
  for (std::size_t p = 0; p < values.size(); ++p) {
    const auto code = static_cast<std::int8_t>(values[p]);
    panel[(p / group * kPanelColumns + lane) * group + p % group] = code;
    sums_[row] += code;
  }
}

void PackedMatrix::finish() {
  if (kept() == Form::codes) {
    const auto note = kernels().note_i8;
    const std::size_t group = kernels().i8_group;
    if (note) notes_ = note(codes(), sums_.size() / kPanelColumns, round_up(columns(), group) / group);
    return;
  }
  if (row_scales_.empty()) return;
  // Codes that are to run as values.
  for (std::size_t row = 0; row < rows(); ++row) {
    const std::size_t lane = row % kPanelColumns;
    float* panel = panels_.data() + (row - lane) * columns() + lane;
    for (std::size_t p = 0; p < columns(); ++p) panel[p * kPanelColumns] *= row_scales_[row];
  }
}

const LinearInput::Codes& LinearInput::codes() {
  if (codes_.data) return codes_;
  // The rows' codes, then their scales and zero points; each row of codes is a whole number of 32-bit groups.
  const std::size_t stride =
      round_up(columns_, kernels_.i8_group) / kernels_.i8_group * sizeof(std::uint32_t);
  scratch_.resize(x_.count * (stride + sizeof(float) + sizeof(std::int32_t)));
  auto* scales = reinterpret_cast<float*>(scratch_.data() + x_.count * stride);
  auto* zeros = reinterpret_cast<std::int32_t*>(scales + x_.count);
  for (std::size_t i = 0; i < x_.count; ++i) {
    const auto [scale, zero] = kernels_.quantise_i8(x_.row(i), columns_, scratch_.data() + i * stride);
    scales[i] = scale;
    zeros[i] = zero;
  }
  codes_ = {.data = scratch_.data(), .stride = stride, .scales = scales, .zeros = zeros};
  return codes_;
}

void Linear::bind(WeightMap& map, const std::string& name, std::size_t in_features, std::size_t out_features,
                  WeightMap::Need need, Bias bias) {
  map.add_matrix(concat({name, ".weight"}), out_features, in_features, weight_, need);
  if (bias == Bias::present) map.add_vector(concat({name, ".bias"}), out_features, bias_, need);
}

void Linear::bind_stacked(WeightMap& map, const std::string& name, std::size_t in_features,
                          std::span<const Part> parts, Bias bias) {
  std::vector<WeightMap::Stacked<MatrixSink>> weights;
  std::vector<WeightMap::Stacked<std::vector<float>>> biases;
  for (const auto& [linear, out_features] : parts) {
    weights.push_back({&linear->weight_, out_features});
    biases.push_back({&linear->bias_, out_features});
  }
  map.add_stacked(concat({name, ".weight"}), in_features, std::move(weights));
  if (bias == Bias::present) map.add_stacked(concat({name, ".bias"}), std::move(biases));
}

void Linear::forward(LinearInput& x, MutableRows y, const Rows* residual) const {
  assert(present());
  const float* residual_data = residual ? residual->data : nullptr;
  const std::size_t residual_stride = residual ? residual->stride : 0;
  if (weight_.is_int8()) {
    const LinearInput::Codes& codes = x.codes();
    x.kernels().gemm_i8({.a = codes.data,
                         .a_stride = codes.stride,
                         .a_scales = codes.scales,
                         .a_zeros = codes.zeros,
                         .rows = x.rows().count,
                         .panels = weight_.codes(),
                         .w_scales = weight_.scales(),
                         .w_sums = weight_.sums(),
                         .w_notes = weight_.notes(),
                         .k = in_features(),
                         .columns = out_features(),
                         .out = y.data,
                         .out_stride = y.stride,
                         .bias = bias(),
                         .residual = residual_data,
                         .residual_stride = residual_stride});
    return;
  }
  x.kernels().gemm_f32({.a = x.rows().data,
                        .a_stride = x.rows().stride,
                        .rows = x.rows().count,
                        .panels = weight_.panels(),
                        .k = in_features(),
                        .columns = out_features(),
                        .out = y.data,
                        .out_stride = y.stride,
                        .bias = bias(),
                        .residual = residual_data,
                        .residual_stride = residual_stride});
}

void Linear::forward(const kernels::Table& kernels, Rows x, MutableRows y, std::vector<std::byte>& scratch,
                     const Rows* residual) const {
  LinearInput input(kernels, x, in_features(), scratch);
  forward(input, y, residual);
}

void Linear::forward_exact(const kernels::Table& kernels, Rows x, std::size_t first, std::size_t count,
                           MutableRows y, const Rows* residual, Buffer& scratch) const {
  const PanelView weight = weight_.view();
  for (std::size_t c = first; c < first + count; c += kPanelColumns) {
    kernels.gemm_f32({.a = x.data,
                      .a_stride = x.stride,
                      .rows = x.count,
                      .panels = weight.panel(kernels, c, scratch),
                      .k = in_features(),
                      .columns = std::min(kPanelColumns, first + count - c),
                      .out = y.data + c,
                      .out_stride = y.stride,
                      .bias = bias() ? bias() + c : nullptr,
                      .residual = residual ? residual->data + c : nullptr,
                      .residual_stride = residual ? residual->stride : 0});
  }
}

void Linear::forward_part(const kernels::Table& kernels, Rows x, std::size_t first_input, std::size_t inputs,
                          MutableRows y, Buffer& scratch) const {
  const PanelView weight = weight_.view();
  for (std::size_t c = 0; c < out_features(); c += kPanelColumns) {
    kernels.gemm_f32({.a = x.data,
                      .a_stride = x.stride,
                      .rows = x.count,
                      .panels = weight.panel(kernels, c, scratch) + first_input * kPanelColumns,
                      .k = inputs,
                      .columns = std::min(kPanelColumns, out_features() - c),
                      .out = y.data + c,
                      .out_stride = y.stride});
  }
}

void Linear::copy_weights(std::size_t output, float* out) const {
  Buffer scratch;
  const std::size_t lane = output % kPanelColumns;
  const float* panel = weight_.view().panel(weight_.kernels(), output - lane, scratch);
  for (std::size_t p = 0; p < in_features(); ++p) out[p] = panel[p * kPanelColumns + lane];
}

}  // namespace headlight
