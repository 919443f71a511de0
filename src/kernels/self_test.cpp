#include "kernels/self_test.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headlight::kernels {
namespace {

// Sizes with whole tiles and remainders of each.
constexpr std::size_t kRows = kTileRows + 1;
constexpr std::size_t kColumns = 2 * kPanelColumns + 3;
constexpr std::size_t kFilledColumns = 3 * kPanelColumns;
constexpr std::size_t kInner = 45;

using Floats = std::vector<float>;

// Numbers that are the same in each run, by a linear congruential sequence (Knuth 1997, 3.3.4).
class Numbers {
 public:
  // From -127 to 127.
  int code() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<int>((state_ >> 16) % 255) - 127;
  }
  Floats floats(std::size_t n, float scale) {
    Floats result(n);
    for (float& x : result) x = static_cast<float>(code()) * scale;
    return result;
  }

 private:
  std::uint32_t state_ = 1;
};

// Whether each number is as far from its definition as `bound`, relative to max(1, |definition|), at most.
bool agree(const Floats& actual, const Floats& definition, float bound) {
  return std::equal(actual.begin(), actual.end(), definition.begin(), definition.end(),
                    [&](float a, float b) {
                      return std::abs(a - b) <= bound * std::max(1.0f, std::abs(b));  // false for NaN
                    });
}

bool gemm_f32_agrees(const Table& table) {
  Numbers numbers;
  const Floats a = numbers.floats(kRows * kInner, 1.0f / 127);
  const Floats panels = numbers.floats(kFilledColumns * kInner, 1.0f / 127);
  const Floats bias = numbers.floats(kColumns, 1.0f / 127);
  const auto run = [&](const Table& by) {
    Floats out(kRows * kColumns, 1);
    by.gemm_f32({.a = a.data(),
                 .a_stride = kInner,
                 .rows = kRows,
                 .panels = panels.data(),
                 .k = kInner,
                 .columns = kColumns,
                 .out = out.data(),
                 .out_stride = kColumns,
                 .bias = bias.data(),
                 .residual = out.data(),
                 .residual_stride = kColumns});
    return out;
  };
  return agree(run(table), run(scalar()), 1e-5f);
}

struct Quantised {
  std::vector<std::byte> codes;
  Floats scales;
  std::vector<std::int32_t> zeros;

  bool operator==(const Quantised&) const = default;
};

std::size_t row_bytes(const Table& table) {
  return (kInner + table.i8_group - 1) / table.i8_group * sizeof(std::uint32_t);
}

Quantised quantise(const Table& table) {
  Numbers numbers;
  const Floats x = numbers.floats(kRows * kInner, 0.03f);
  Quantised result{.codes = std::vector<std::byte>(kRows * row_bytes(table)), .scales = {}, .zeros = {}};
  for (std::size_t r = 0; r < kRows; ++r) {
    const auto [scale, zero] =
        table.quantise_i8(x.data() + r * kInner, kInner, result.codes.data() + r * row_bytes(table));
    result.scales.push_back(scale);
    result.zeros.push_back(zero);
  }
  return result;
}

bool gemm_i8_agrees(const Table& table) {
  Numbers numbers;
  const Quantised a = quantise(scalar());
  const std::size_t inner = row_bytes(table) / sizeof(std::uint32_t) * table.i8_group;
  std::vector<std::int8_t> panels(kFilledColumns * inner);
  for (std::int8_t& code : panels) code = static_cast<std::int8_t>(numbers.code());
  const Floats w_scales = numbers.floats(kFilledColumns, 1e-4f);
  std::vector<std::int32_t> w_sums(kFilledColumns);
  for (std::int32_t& sum : w_sums) sum = numbers.code();
  const auto run = [&](const Table& by) {
    Floats out(kRows * kColumns);
    std::vector<std::uint32_t> notes;
    if (by.note_i8) notes = by.note_i8(panels.data(), kFilledColumns / kPanelColumns, inner / table.i8_group);
    by.gemm_i8({.a = a.codes.data(),
                .a_stride = row_bytes(table),
                .a_scales = a.scales.data(),
                .a_zeros = a.zeros.data(),
                .rows = kRows,
                .panels = panels.data(),
                .w_scales = w_scales.data(),
                .w_sums = w_sums.data(),
                .w_notes = notes.data(),
                .k = kInner,
                .columns = kColumns,
                .out = out.data(),
                .out_stride = kColumns});
    return out;
  };
  return agree(run(table), run(scalar()), 1e-5f);
}

bool layer_norm_agrees(const Table& table) {
  Numbers numbers;
  const Floats x = numbers.floats(kInner, 0.03f);
  const Floats weight = numbers.floats(kInner, 0.01f);
  const Floats bias = numbers.floats(kInner, 0.01f);
  const auto run = [&](const Table& by) {
    Floats out(kInner);
    by.layer_norm_f32(x.data(), weight.data(), bias.data(), 1e-12f, kInner, out.data());
    return out;
  };
  return agree(run(table), run(scalar()), 1e-5f);
}

bool dequantise_agrees(const Table& table) {
  constexpr std::size_t kGroups = 5;
  Numbers numbers;
  const Floats scales = numbers.floats(kPanelColumns, 0.01f);
  std::vector<std::int8_t> codes(kGroups * kPanelColumns * table.i8_group);
  for (std::int8_t& code : codes) code = numbers.code();
  const auto run = [&](const Table& by) {
    Floats out(codes.size());
    by.dequantise_i8(codes.data(), scales.data(), kGroups, out.data());
    return out;
  };
  return run(table) == run(scalar());
}

bool transpose_agrees(const Table& table) {
  const Floats x = Numbers().floats(2 * kPanelColumns * kPanelColumns, 1);
  const auto run = [&](const Table& by) {
    Floats out(x.size());
    by.transpose_f32(x.data(), kPanelColumns * kPanelColumns, 2, out.data());
    return out;
  };
  return run(table) == run(scalar());
}

// kernel(table, x): a function of a row, in place.
template <typename Kernel>
bool row_agrees(const Table& table, Kernel kernel) {
  const auto run = [&](const Table& by) {
    Floats x = Numbers().floats(kInner, 0.05f);
    kernel(by, x.data());
    return x;
  };
  return agree(run(table), run(scalar()), 4e-6f);
}

}  // namespace

std::vector<std::string_view> failing_kernels(const Table& table) {
  std::vector<std::string_view> failing;
  const auto check = [&](std::string_view name, bool agrees) {
    if (!agrees) failing.push_back(name);
  };
  check("gemm_f32", gemm_f32_agrees(table));
  check("gemm_i8", gemm_i8_agrees(table));
  check("quantise_i8", quantise(table) == quantise(scalar()));
  check("dequantise_i8", dequantise_agrees(table));
  check("softmax_f32",
        row_agrees(table, [](const Table& by, float* x) { by.softmax_f32(x, kInner, 0.25f); }));
  check("layer_norm_f32", layer_norm_agrees(table));
  check("gelu_f32", row_agrees(table, [](const Table& by, float* x) { by.gelu_f32(x, kInner); }));
  check("gelu_tanh_f32", row_agrees(table, [](const Table& by, float* x) { by.gelu_tanh_f32(x, kInner); }));
  check("transpose_f32", transpose_agrees(table));
  return failing;
}

}  // namespace headlight::kernels
