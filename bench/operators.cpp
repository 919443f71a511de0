// Runs single operators on memory of its own, so that JavaScript can time them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "kernels/table.h"
#include "ops/attention.h"

namespace {

using namespace headlight;

std::vector<float> numbers(std::size_t n) {
  std::vector<float> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = static_cast<float>(i * 7919 % 255) / 127 - 1;
  return result;
}

std::size_t filled(std::size_t columns) {
  return (columns + kernels::kPanelColumns - 1) / kernels::kPanelColumns * kernels::kPanelColumns;
}

// Memory of the product [rows, k] x [k, columns]; the others use parts of it.
struct Memory {
  const kernels::Table& table = kernels::best();
  std::size_t rows = 0, k = 0, columns = 0, stride = 0;
  std::vector<float> a, out, panels, bias, scales;
  std::vector<std::int32_t> zeros, sums;
  std::vector<std::uint32_t> notes;
  std::vector<std::byte> codes;
  std::vector<std::int8_t> code_panels;

  Memory(std::size_t rows_, std::size_t k_, std::size_t columns_) : rows(rows_), k(k_), columns(columns_) {
    const std::size_t group = table.i8_group;
    stride = (k + group - 1) / group * sizeof(std::uint32_t);
    a = numbers(rows * k);
    out = numbers(rows * columns);
    panels = numbers(filled(columns) * k);
    bias = numbers(columns);
    scales = numbers(rows + filled(columns));
    zeros.assign(rows, 64);
    sums.assign(filled(columns), 1);
    codes.resize(rows * stride);
    code_panels.assign(filled(columns) * (stride / sizeof(std::uint32_t) * group), 3);
    if (table.note_i8)
      notes = table.note_i8(code_panels.data(), sums.size() / kernels::kPanelColumns,
                            stride / sizeof(std::uint32_t));
  }

  void gemm_f32() {
    table.gemm_f32({.a = a.data(),
                    .a_stride = k,
                    .rows = rows,
                    .panels = panels.data(),
                    .k = k,
                    .columns = columns,
                    .out = out.data(),
                    .out_stride = columns,
                    .bias = bias.data()});
  }
  void gemm_i8() {
    table.gemm_i8({.a = codes.data(),
                   .a_stride = stride,
                   .a_scales = scales.data(),
                   .a_zeros = zeros.data(),
                   .rows = rows,
                   .panels = code_panels.data(),
                   .w_scales = scales.data() + rows,
                   .w_sums = sums.data(),
                   .w_notes = notes.data(),
                   .k = k,
                   .columns = columns,
                   .out = out.data(),
                   .out_stride = columns,
                   .bias = bias.data()});
  }
  void quantise_i8() {
    for (std::size_t r = 0; r < rows; ++r) table.quantise_i8(a.data() + r * k, k, codes.data() + r * stride);
  }
  void layer_norm() {
    for (std::size_t r = 0; r < rows; ++r)
      table.layer_norm_f32(a.data() + r * k, a.data(), a.data(), 1e-12f, k, a.data() + r * k);
  }
  void gelu() { table.gelu_f32(a.data(), rows * k); }
  void softmax() {
    for (std::size_t r = 0; r < rows; ++r) table.softmax_f32(a.data() + r * k, k, 1.0f);
  }
};

// One head over rows tokens; k: size of a head.
void attention(Memory& memory, AttentionScratch& scratch) {
  const SelfAttention head(memory.k, 0.125f, nullptr);
  const Rows rows{memory.a.data(), memory.k, memory.rows};
  const HeadMemory keys{.keys = rows, .values = rows, .head = 0};
  head.begin_head(memory.table, keys, scratch);
  head.forward(memory.table, keys, {.rows = rows, .first = 0},
               {.count = memory.rows, .padded = memory.rows, .offset = 0, .global_tokens = {}},
               {memory.out.data(), memory.k}, nullptr, scratch);
}

}  // namespace

// op: 0 gemm_f32, 1 gemm_i8, 2 quantise_i8, 3 layer_norm, 4 gelu, 5 softmax, each of [rows, k]; 6 attention of one head.
extern "C" __attribute__((export_name("run"))) void run(int op, std::size_t rows, std::size_t k,
                                                        std::size_t columns, std::size_t repeats) {
  static std::vector<Memory> kept;
  if (kept.empty() || kept[0].rows != rows || kept[0].k != k || kept[0].columns != columns) {
    kept.clear();
    kept.emplace_back(rows, k, columns);
  }
  static AttentionScratch scratch;
  for (std::size_t i = 0; i < repeats; ++i) {
    switch (op) {
      case 0:
        kept[0].gemm_f32();
        break;
      case 1:
        kept[0].gemm_i8();
        break;
      case 2:
        kept[0].quantise_i8();
        break;
      case 3:
        kept[0].layer_norm();
        break;
      case 4:
        kept[0].gelu();
        break;
      case 5:
        kept[0].softmax();
        break;
      default:
        attention(kept[0], scratch);
        break;
    }
  }
}
