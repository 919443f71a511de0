// The kernel table: every hot loop of the encoder, once for each instruction set.
// Each kernel is one function in one file, named <op>_<types>_<tile>__<isa>.cpp (docs/kernels.md); the scalar
// one is short and obvious and is the definition of correct for the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace headlight::kernels {

// Weights are packed in panels of this many output columns: panels[columns / 8][k][8], the last one zero-filled.
inline constexpr std::size_t kPanelColumns = 8;
// Rows that a GEMM micro-kernel keeps in registers; tiles of whole multiples leave no remainder.
inline constexpr std::size_t kTileRows = 6;

// out[r][c] = sum_p a[r][p] * w[p][c] + bias[c] + residual[r][c]
// Each output element is summed in the order of p whatever the number of rows, so that a row's result does not
// depend on the rows beside it.
struct GemmF32 {
  const float* a;  // [rows, k], row stride a_stride
  std::size_t a_stride;
  std::size_t rows;
  const float* panels;  // [ceil(columns / 8)][k][8]
  std::size_t k;
  std::size_t columns;
  float* out;  // [rows, columns], row stride out_stride; does not overlap `a`
  std::size_t out_stride;
  const float* bias = nullptr;      // [columns]
  const float* residual = nullptr;  // [rows, columns], row stride residual_stride; may be `out` itself
  std::size_t residual_stride = 0;
};

// The same with int8 weights and activations that quantise_i8 has turned into integers:
//   out[r][c] = (sum_p a[r][p] * w[p][c] - a_zeros[r] * w_sums[c]) * a_scales[r] * w_scales[c] + bias[c] + residual[r][c]
// Groups of Table::i8_group values along k stand together, four bytes of activations, so that one instruction
// multiplies and adds them; k is filled up with zeros to whole groups.
struct GemmI8 {
  const std::byte* a;  // [rows][ceil(k / group)][group], a row starting a_stride bytes after the one before
  std::size_t a_stride;
  const float* a_scales;        // [rows]
  const std::int32_t* a_zeros;  // [rows]
  std::size_t rows;
  const std::int8_t* panels;   // [ceil(columns / 8)][ceil(k / group)][8][group]
  const float* w_scales;       // [columns], filled up to whole panels
  const std::int32_t* w_sums;  // [columns], sums of the codes over k, filled up to whole panels
  const std::uint32_t* w_notes =
      nullptr;  // what Table::note_i8 tells of the panels; null where the table has none
  std::size_t k;
  std::size_t columns;
  float* out;  // [rows, columns], row stride out_stride
  std::size_t out_stride;
  const float* bias = nullptr;      // [columns]
  const float* residual = nullptr;  // [rows, columns], row stride residual_stride; may be `out` itself
  std::size_t residual_stride = 0;
};

// How quantise_i8 made a row: x[p] = (code[p] - zero) * scale.
struct RowQuantisation {
  float scale;
  std::int32_t zero;
};

struct Table {
  std::string_view isa;  // "scalar", "simd128", "relaxed", "relaxed16"

  void (*gemm_f32)(const GemmF32&);
  void (*gemm_i8)(const GemmI8&);
  // Activations of gemm_i8: x [k] -> codes [ceil(k / group)][group] of 4 / group bytes each.
  RowQuantisation (*quantise_i8)(const float* x, std::size_t k, std::byte* codes);
  std::size_t i8_group;
  // What gemm_i8 must know of packed weights, panels [panel_count][groups][8][group]; null where it needs nothing.
  std::vector<std::uint32_t> (*note_i8)(const std::int8_t* panels, std::size_t panel_count,
                                        std::size_t groups);
  // Weights of gemm_i8 as floats: codes [groups][8][group] -> out [groups * group][8], out[p][c] = code[p][c] * scales[c].
  void (*dequantise_i8)(const std::int8_t* codes, const float* scales, std::size_t groups, float* out);
  // x[i] = exp(scale * x[i] - max) / sum, in place. A row that is -inf throughout gives NaN, as PyTorch's does.
  void (*softmax_f32)(float* x, std::size_t n, float scale);
  // out = (x - mean) / sqrt(variance + eps) * weight + bias; `out` may be `x`.
  void (*layer_norm_f32)(const float* x, const float* weight, const float* bias, float eps, std::size_t n,
                         float* out);
  // x / 2 * (1 + erf(x / sqrt(2))), in place. Hendrycks & Gimpel 2016.
  void (*gelu_f32)(float* x, std::size_t n);
  // x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))), in place: the approximation of the same paper.
  void (*gelu_tanh_f32)(float* x, std::size_t n);
  // out[i][c][r] = from[i * stride + r * 8 + c] for `count` blocks of 8 x 8; they do not overlap.
  void (*transpose_f32)(const float* from, std::size_t stride, std::size_t count, float* out);
};

const Table& scalar();
// The fastest table that this build holds, on this processor.
const Table& best();
// All tables of this build, the scalar one first.
std::span<const Table* const> all();

}  // namespace headlight::kernels
