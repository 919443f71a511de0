// The affine map of a layer: y = x W^T + b, with PyTorch's weight [out_features, in_features].
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/table.h"
#include "ops/buffer.h"
#include "weights/weight_map.h"

namespace headlight {

// Rows of floats in memory: [rows, columns], a row starting `stride` floats after the one before.
struct Rows {
  const float* data;
  std::size_t stride;
  std::size_t count;

  const float* row(std::size_t i) const { return data + i * stride; }
};

struct MutableRows {
  float* data;
  std::size_t stride;

  float* row(std::size_t i) const { return data + i * stride; }
  Rows first(std::size_t count) const { return {data, stride, count}; }
};

// out [columns] = the mean of all rows.
void mean_row(Rows rows, std::size_t columns, float* out);

// Floats that a matrix of `columns` outputs takes as panels over k inputs.
std::size_t panels_size(std::size_t columns, std::size_t k);

// Packs a matrix [columns, k], whose rows are the outputs, into panels (kernels/table.h).
void pack_panels(Rows matrix, std::size_t k, float* panels);
// The same of a matrix [k, columns], whose columns are the outputs.
void pack_transposed(Rows matrix, std::size_t columns, float* panels);

// A packed matrix [outputs, inputs], to be read as float32 a panel at a time.
struct PanelView {
  const float* panels = nullptr;       // or null, then
  const std::int8_t* codes = nullptr;  // as PackedMatrix has them
  const float* scales = nullptr;
  std::size_t group = 0;
  std::size_t outputs, inputs;

  // The panel of the outputs first … first + 7, [inputs][8]; multiplied out in scratch where it must be.
  const float* panel(const kernels::Table& kernels, std::size_t first, Buffer& scratch) const;
  // out [outputs, filled up to whole panels][8]: the same of the transpose, whose columns are the inputs first … first + 7.
  void transposed_panel(const kernels::Table& kernels, std::size_t first, float* out) const;
};

// The vector–Jacobian product of y = x W^T: dx [count, inputs] += dy [count, outputs] W, of dx the columns
// first … first + count - 1, first a multiple of kPanelColumns.
void multiply_transposed(const kernels::Table& kernels, Rows dy, const PanelView& weight, std::size_t first,
                         std::size_t count, MutableRows dx, Buffer& scratch);

// Weights in panels, packed row by row as they arrive: float32, or int8 with a scale for each output.
class PackedMatrix : public MatrixSink {
 public:
  bool is_int8() const { return kept() == Form::codes; }
  const float* panels() const { return panels_.data(); }
  const std::int8_t* codes() const { return codes_.data(); }
  const float* scales() const { return row_scales_.data(); }
  const std::int32_t* sums() const { return sums_.data(); }
  const std::uint32_t* notes() const { return notes_.empty() ? nullptr : notes_.data(); }
  PanelView view() const;
  using MatrixSink::kernels;

  void finish() override;
  std::size_t bytes_for(std::size_t rows, std::size_t columns, Form kept) const override;

 protected:
  void allocate() override;
  void set_row(std::size_t row, std::span<const float> values) override;

 private:
  std::vector<float> panels_;         // [ceil(rows / 8)][columns][8], or empty
  std::vector<std::int8_t> codes_;    // [ceil(rows / 8)][ceil(columns / group)][8][group], or empty
  std::vector<std::int32_t> sums_;    // [rows] of the codes, filled up to whole panels, or empty
  std::vector<std::uint32_t> notes_;  // of Table::note_i8, or empty
};

// The rows that go into one or several linear maps. For int8 weights they are quantised once, at the first of these.
class LinearInput {
 public:
  // scratch: memory for the codes; in use as long as this object.
  LinearInput(const kernels::Table& kernels, Rows x, std::size_t columns, std::vector<std::byte>& scratch)
      : kernels_(kernels), x_(x), columns_(columns), scratch_(scratch) {}

  const Rows& rows() const { return x_; }
  const kernels::Table& kernels() const { return kernels_; }

  struct Codes {
    const std::byte* data;
    std::size_t stride;  // bytes
    const float* scales;
    const std::int32_t* zeros;
  };
  const Codes& codes();

 private:
  const kernels::Table& kernels_;
  Rows x_;
  std::size_t columns_;
  std::vector<std::byte>& scratch_;
  Codes codes_{};
};

class Linear {
 public:
  enum class Bias { none, present };

  void bind(WeightMap& map, const std::string& name, std::size_t in_features, std::size_t out_features,
            WeightMap::Need need = WeightMap::Need::required, Bias bias = Bias::present);
  // Maps of the same input that the checkpoint holds as one, their outputs one after the other.
  struct Part {
    Linear* linear;
    std::size_t out_features;
  };
  static void bind_stacked(WeightMap& map, const std::string& name, std::size_t in_features,
                           std::span<const Part> parts, Bias bias);

  bool present() const { return !weight_.empty(); }
  std::size_t in_features() const { return weight_.columns(); }
  std::size_t out_features() const { return weight_.rows(); }
  // Multiply-adds for one row.
  std::uint64_t work() const { return static_cast<std::uint64_t>(weight_.rows()) * weight_.columns(); }

  // x [count, in_features] -> y [count, out_features], plus residual [count, out_features] where it is given.
  void forward(LinearInput& x, MutableRows y, const Rows* residual = nullptr) const;
  // The same for rows that go into this map alone.
  void forward(const kernels::Table& kernels, Rows x, MutableRows y, std::vector<std::byte>& scratch,
               const Rows* residual = nullptr) const;

  // The outputs first … first + count - 1 of forward(), first a multiple of kPanelColumns, with rows that are not
  // quantised; int8 weights are multiplied out a panel at a time in scratch.
  void forward_exact(const kernels::Table& kernels, Rows x, std::size_t first, std::size_t count,
                     MutableRows y, const Rows* residual, Buffer& scratch) const;
  // What the inputs first_input … alone, x [rows, inputs], add to all outputs: y [rows, out_features], without the bias.
  void forward_part(const kernels::Table& kernels, Rows x, std::size_t first_input, std::size_t inputs,
                    MutableRows y, Buffer& scratch) const;
  // The vector–Jacobian product: dx [count, in_features] += dy W, of dx the columns first … first + count - 1, first a
  // multiple of kPanelColumns.
  void backward(const kernels::Table& kernels, Rows dy, std::size_t first, std::size_t count, MutableRows dx,
                Buffer& scratch) const {
    multiply_transposed(kernels, dy, weight_.view(), first, count, dx, scratch);
  }
  // out [in_features] = the weights of one output: the gradient of that output.
  void copy_weights(std::size_t output, float* out) const;

 private:
  const float* bias() const { return bias_.empty() ? nullptr : bias_.data(); }

  PackedMatrix weight_;
  std::vector<float> bias_;
};

}  // namespace headlight
