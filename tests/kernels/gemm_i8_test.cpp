#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/guarded.h"
#include "kernels/table.h"

namespace headlight::test {
namespace {

using kernels::kPanelColumns;
using kernels::kTileRows;
using kernels::Table;

std::size_t groups_of(const Table& table, std::size_t k) { return (k + table.i8_group - 1) / table.i8_group; }

// The number that stands for position p of a quantised row.
int code_at(const Table& table, const std::byte* codes, std::size_t p) {
  if (table.i8_group == 4) return std::to_integer<int>(codes[p]);
  std::int16_t code;
  std::memcpy(&code, codes + p * sizeof(code), sizeof(code));
  return code;
}

// Greatest code of an activation: 7 bits unsigned, or 13 bits with the sign.
int greatest_code(const Table& table) { return table.i8_group == 4 ? 127 : 4095; }

enum class Codes {
  random,
  greatest,
  // Four positions whose weights add up to 258 or 259 in two of them: times 127, just within 16 bits and just beyond.
  edge_of_16_bits,
};

int edge_code(std::size_t p, std::size_t c) {
  const int sign = c % 2 ? 1 : -1;
  constexpr int codes[] = {127, 127, 0, 0, 4, 0, 0, 0};
  return sign * (p % 8 == 5 && p / 8 % 3 == c % 3 ? 1 : codes[p % 8]);
}

struct Product {
  std::size_t rows, k, columns;
  std::size_t a_stride, out_stride;
  std::vector<std::byte> a;
  std::vector<float> a_scales;
  std::vector<std::int32_t> a_zeros;
  std::vector<std::int8_t> panels;
  std::vector<float> w_scales;
  std::vector<std::int32_t> w_sums;
  Guarded bias, residual;

  Product(const Table& table, std::size_t row_count, std::size_t inner, std::size_t column_count,
          std::mt19937& random, Codes kind)
      : rows(row_count),
        k(inner),
        columns(column_count),
        a_stride(groups_of(table, inner) * 4 + 4),
        out_stride(column_count + 3),
        a(row_count * a_stride),
        bias(column_count, 1),
        residual(row_count * out_stride, 1) {
    const std::size_t group = table.i8_group;
    const std::size_t filled = (columns + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
    panels.resize(filled * groups_of(table, k) * group);
    w_scales.resize(filled);
    w_sums.resize(filled);
    std::uniform_int_distribution<int> weight(-127, 127);
    std::uniform_int_distribution<int> activation(group == 4 ? 0 : -greatest_code(table),
                                                  greatest_code(table));
    std::uniform_real_distribution<float> scale(0.001f, 0.01f);
    for (std::size_t c = 0; c < columns; ++c) {
      w_scales[c] = scale(random);
      for (std::size_t p = 0; p < k; ++p) {
        const int code = kind == Codes::random     ? weight(random)
                         : kind == Codes::greatest ? (c % 2 ? 127 : -127)
                                                   : edge_code(p, c);
        panels[(c / kPanelColumns * groups_of(table, k) + p / group) * kPanelColumns * group +
               c % kPanelColumns * group + p % group] = static_cast<std::int8_t>(code);
        w_sums[c] += code;
      }
    }
    for (std::size_t r = 0; r < rows; ++r) {
      a_scales.push_back(scale(random));
      a_zeros.push_back(group == 4 ? static_cast<int>(r * 31 % 128) : 0);
      for (std::size_t p = 0; p < k; ++p) {
        const int code = kind == Codes::random ? activation(random) : greatest_code(table);
        if (group == 4) {
          a[r * a_stride + p] = static_cast<std::byte>(code);
        } else {
          const auto wide = static_cast<std::int16_t>(code);
          std::memcpy(a.data() + r * a_stride + p * sizeof(wide), &wide, sizeof(wide));
        }
      }
    }
    bias.fill(random);
    residual.fill(random);
  }

  void run(const Table& table, float* out) {
    std::vector<std::uint32_t> notes;
    if (table.note_i8)
      notes = table.note_i8(panels.data(), w_sums.size() / kPanelColumns, groups_of(table, k));
    table.gemm_i8({.a = a.data(),
                   .a_stride = a_stride,
                   .a_scales = a_scales.data(),
                   .a_zeros = a_zeros.data(),
                   .rows = rows,
                   .panels = panels.data(),
                   .w_scales = w_scales.data(),
                   .w_sums = w_sums.data(),
                   .w_notes = notes.data(),
                   .k = k,
                   .columns = columns,
                   .out = out,
                   .out_stride = out_stride,
                   .bias = bias.data(),
                   .residual = residual.data(),
                   .residual_stride = out_stride});
  }

  double exact(const Table& table, std::size_t r, std::size_t c) {
    const std::size_t group = table.i8_group;
    std::int64_t sum = 0;
    for (std::size_t p = 0; p < k; ++p) {
      const int w = panels[(c / kPanelColumns * groups_of(table, k) + p / group) * kPanelColumns * group +
                           c % kPanelColumns * group + p % group];
      sum += static_cast<std::int64_t>(code_at(table, a.data() + r * a_stride, p) - a_zeros[r]) * w;
    }
    return static_cast<double>(sum) * a_scales[r] * w_scales[c] + bias.values()[c] +
           residual.values()[r * out_stride + c];
  }
};

void check(const Table& table, std::size_t rows, std::size_t k, std::size_t columns, std::mt19937& random,
           Codes kind) {
  INFO(table.isa << ": " << rows << " x " << k << " x " << columns);
  Product product(table, rows, k, columns, random, kind);
  Guarded out(rows * product.out_stride, 1);
  product.run(table, out.data());
  std::size_t wrong = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const double exact = product.exact(table, r, c);
      // The sum of products is exact; its conversion, the scales, bias and residual are rounded.
      const double bound = 8 * std::numeric_limits<float>::epsilon() * (std::abs(exact) + 4);
      wrong += !(std::abs(out.values()[r * product.out_stride + c] - exact) <= bound);
    }
  }
  CHECK(wrong == 0);
  CHECK(out.intact());
}

TEST_CASE("gemm_i8: every variant agrees with the definition at all remainders") {
  std::mt19937 random(1);
  for (const Table* table : kernels::all()) {
    for (std::size_t rows = 0; rows <= 2 * kTileRows + 1; ++rows) {
      for (std::size_t columns = 1; columns <= 2 * kPanelColumns + 1; ++columns) {
        check(*table, rows, 1 + (rows * 5 + columns) % 11, columns, random, Codes::random);
      }
    }
    check(*table, 7, 384, 33, random, Codes::random);
    check(*table, 6, 1536, 384, random, Codes::random);
  }
}

TEST_CASE("gemm_i8: the greatest codes do not overflow") {
  std::mt19937 random(1);
  for (const Table* table : kernels::all()) check(*table, 6, 4096, 16, random, Codes::greatest);
}

TEST_CASE("gemm_i8: sums at the edge of 16 bits") {
  std::mt19937 random(1);
  for (const Table* table : kernels::all()) {
    for (const std::size_t k : {8, 12, 44, 384}) check(*table, 7, k, 17, random, Codes::edge_of_16_bits);
  }
}

TEST_CASE("quantise_i8: each number is met within half a step") {
  std::mt19937 random(1);
  for (const Table* table : kernels::all()) {
    for (std::size_t k = 1; k <= 70; ++k) {
      INFO(table->isa << ": " << k);
      Guarded x(k, k % 4);
      x.fill(random, -1.0f, static_cast<float>(k % 5));
      std::vector<std::byte> codes(groups_of(*table, k) * 4, std::byte{0xAA});
      const auto [scale, zero] = table->quantise_i8(x.data(), k, codes.data());
      CHECK(zero >= 0);
      std::size_t wrong = 0;
      for (std::size_t p = 0; p < k; ++p) {
        const int code = code_at(*table, codes.data(), p);
        // One step where the zero point's rounding and the number's add up at the end of the range.
        const double steps = table->i8_group == 4 ? 1.0 : 0.5;
        wrong +=
            !(std::abs((code - zero) * static_cast<double>(scale) - x.values()[p]) <= steps * 1.001 * scale);
        wrong += std::abs(code) > greatest_code(*table);
      }
      for (std::size_t p = k; p < groups_of(*table, k) * table->i8_group; ++p)
        wrong += code_at(*table, codes.data(), p) != 0;
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("quantise_i8: a row of zeros, of one number, and a long row") {
  for (const Table* table : kernels::all()) {
    INFO(table->isa);
    for (const float value : {0.0f, 3.5f, -2.0f}) {
      const std::vector<float> x(37, value);
      std::vector<std::byte> codes(groups_of(*table, x.size()) * 4);
      const auto [scale, zero] = table->quantise_i8(x.data(), x.size(), codes.data());
      CHECK(std::abs((code_at(*table, codes.data(), 36) - zero) * scale - value) <= 1e-6f * std::abs(value));
    }
    std::vector<float> wide(20'000, 1.0f);  // sums over so many codes would leave 32 bits at 13 bits each
    std::vector<std::byte> codes(groups_of(*table, wide.size()) * 4);
    table->quantise_i8(wide.data(), wide.size(), codes.data());
    std::int64_t sum = 0;
    for (std::size_t p = 0; p < wide.size(); ++p) sum += 127 * code_at(*table, codes.data(), p);
    CHECK(sum <= std::numeric_limits<std::int32_t>::max());
  }
}

TEST_CASE("dequantise_i8: every variant gives each code times its column's scale") {
  constexpr std::size_t kColumns = kernels::kPanelColumns;
  std::mt19937 random(3);
  for (const kernels::Table* table : kernels::all()) {
    const std::size_t group = table->i8_group;
    for (std::size_t groups = 1; groups <= 9; ++groups) {
      for (std::size_t shift = 0; shift < 4; ++shift) {
        // All codes there are, one after the other; the panel may start at any byte.
        std::vector<std::int8_t> codes(shift + groups * kColumns * group);
        for (std::size_t i = 0; i < codes.size(); ++i)
          codes[i] = static_cast<std::int8_t>((i * 37 + groups) % 255) - 127;
        Guarded scales(kColumns, shift), out(groups * group * kColumns, shift);
        scales.fill(random, 0.001f, 1);
        table->dequantise_i8(codes.data() + shift, scales.values().data(), groups, out.values().data());
        std::size_t wrong = 0;
        for (std::size_t p = 0; p < groups * group; ++p) {
          for (std::size_t c = 0; c < kColumns; ++c) {
            const auto code = codes[shift + (p / group * kColumns + c) * group + p % group];
            wrong += out.values()[p * kColumns + c] != static_cast<float>(code) * scales.values()[c];
          }
        }
        INFO(table->isa << ": " << groups << " groups, shift " << shift);
        CHECK(wrong == 0);
        CHECK(out.intact());
      }
    }
  }
}

}  // namespace
}  // namespace headlight::test
