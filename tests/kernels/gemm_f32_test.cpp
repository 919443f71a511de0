#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "kernels/guarded.h"
#include "kernels/table.h"

namespace headlight::test {
namespace {

using kernels::kPanelColumns;
using kernels::kTileRows;

struct Shape {
  std::size_t rows, k, columns;
};

// One product with operands at addresses and strides that suit no vector load.
struct Product {
  Product(Shape s, std::mt19937& random, std::size_t shift, bool with_bias, bool with_residual)
      : shape(s),
        a_stride(s.k + shift),
        out_stride(s.columns + 2 * shift),
        a(s.rows * a_stride, shift),
        panels((s.columns + kPanelColumns - 1) / kPanelColumns * kPanelColumns * s.k, shift),
        bias(s.columns, shift),
        residual(s.rows * out_stride, shift),
        use_bias(with_bias),
        use_residual(with_residual) {
    a.fill(random);
    panels.fill(random);
    bias.fill(random);
    residual.fill(random);
    for (std::size_t c = s.columns; c % kPanelColumns; ++c) {
      for (std::size_t p = 0; p < s.k; ++p) weight(p, c) = 0;
    }
  }

  float& weight(std::size_t p, std::size_t c) {
    return panels.values()[(c / kPanelColumns * shape.k + p) * kPanelColumns + c % kPanelColumns];
  }

  kernels::GemmF32 operands(float* out) {
    return {.a = a.data(),
            .a_stride = a_stride,
            .rows = shape.rows,
            .panels = panels.data(),
            .k = shape.k,
            .columns = shape.columns,
            .out = out,
            .out_stride = out_stride,
            .bias = use_bias ? bias.data() : nullptr,
            .residual = use_residual ? residual.data() : nullptr,
            .residual_stride = out_stride};
  }

  // Sum of the magnitudes of all terms of an element: what its rounding error is measured by.
  double magnitude(std::size_t r, std::size_t c) {
    double sum = std::abs(bias.values()[c]) + std::abs(residual.values()[r * out_stride + c]);
    for (std::size_t p = 0; p < shape.k; ++p) sum += std::abs(a.values()[r * a_stride + p] * weight(p, c));
    return sum;
  }

  // The definition, in float64.
  double exact(std::size_t r, std::size_t c) {
    double sum = use_bias ? bias.values()[c] : 0;
    if (use_residual) sum += residual.values()[r * out_stride + c];
    for (std::size_t p = 0; p < shape.k; ++p) {
      sum += static_cast<double>(a.values()[r * a_stride + p]) * weight(p, c);
    }
    return sum;
  }

  Shape shape;
  std::size_t a_stride, out_stride;
  Guarded a, panels, bias, residual;
  bool use_bias, use_residual;
};

// Rounding of k + 2 additions and products, of which each is off by half an epsilon of what is summed so far.
double bound(Product& product, std::size_t r, std::size_t c) {
  return static_cast<double>(product.shape.k + 2) * std::numeric_limits<float>::epsilon() / 2 *
         product.magnitude(r, c);
}

void check_against_definition(const kernels::Table& table, Product& product, std::size_t shift) {
  const auto [rows, k, columns] = product.shape;
  INFO(table.isa << ": " << rows << " x " << k << " x " << columns << ", shift " << shift);
  Guarded out(rows * product.out_stride, shift);
  table.gemm_f32(product.operands(out.data()));
  std::size_t wrong = 0, written_outside = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < product.out_stride; ++c) {
      const float actual = out.values()[r * product.out_stride + c];
      if (c < columns) {
        wrong += !(std::abs(actual - product.exact(r, c)) <= bound(product, r, c));
      } else {
        written_outside += actual != Guarded(1).values()[0];
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(written_outside == 0);
  CHECK(out.intact());
}

TEST_CASE("gemm_f32: every variant agrees with the definition at all remainders") {
  std::mt19937 random(1);
  for (const kernels::Table* table : kernels::all()) {
    for (std::size_t rows = 0; rows <= 2 * kTileRows + 1; ++rows) {
      for (std::size_t columns = 1; columns <= 2 * kPanelColumns + 1; ++columns) {
        const std::size_t shift = (rows + columns) % 4;
        Product product({rows, 1 + (rows * 5 + columns) % 11, columns}, random, shift, rows % 2, columns % 2);
        check_against_definition(*table, product, shift);
      }
    }
    for (const Shape shape : {Shape{7, 384, 33}, Shape{6, 1536, 384}, Shape{71, 32, 71}}) {
      Product product(shape, random, 1, true, true);
      check_against_definition(*table, product, 1);
    }
  }
}

TEST_CASE("gemm_f32: a row's result does not depend on the rows beside it") {
  std::mt19937 random(2);
  const Shape shape{2 * kTileRows + 3, 37, 21};
  Product product(shape, random, 0, true, true);
  for (const kernels::Table* table : kernels::all()) {
    Guarded together(shape.rows * shape.columns);
    table->gemm_f32(product.operands(together.data()));
    std::size_t different = 0;
    for (std::size_t r = 0; r < shape.rows; ++r) {
      Guarded alone(shape.columns);
      kernels::GemmF32 row = product.operands(alone.data());
      row.a += r * row.a_stride;
      row.residual += r * row.residual_stride;
      row.rows = 1;
      table->gemm_f32(row);
      for (std::size_t c = 0; c < shape.columns; ++c) {
        different += alone.values()[c] != together.values()[r * shape.columns + c];
      }
    }
    INFO(table->isa);
    CHECK(different == 0);
  }
}

TEST_CASE("gemm_f32: the output may be the residual") {
  std::mt19937 random(3);
  Product product({kTileRows + 2, 9, kPanelColumns + 3}, random, 0, true, true);
  for (const kernels::Table* table : kernels::all()) {
    Guarded out(product.shape.rows * product.shape.columns), in_place = product.residual;
    table->gemm_f32(product.operands(out.data()));
    kernels::GemmF32 operands = product.operands(in_place.data());
    operands.residual = in_place.data();
    table->gemm_f32(operands);
    INFO(table->isa);
    CHECK(std::equal(out.values().begin(), out.values().end(), in_place.values().begin()));
  }
}

TEST_CASE("gemm_f32: NaN and infinity reach the results they belong to and no others") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::mt19937 random(4);
  for (const kernels::Table* table : kernels::all()) {
    const Shape shape{kTileRows + 1, 5, kPanelColumns + 1};
    Product product(shape, random, 0, false, false);
    product.a.values()[1 * shape.k + 2] = NAN;
    product.a.values()[3 * shape.k + 0] = kInfinity;
    product.weight(4, 2) = NAN;
    for (std::size_t c = 0; c < shape.columns; ++c) product.weight(0, c) = 0.5f;
    Guarded out(shape.rows * shape.columns);
    table->gemm_f32(product.operands(out.data()));
    INFO(table->isa);
    std::size_t wrong = 0;
    for (std::size_t r = 0; r < shape.rows; ++r) {
      for (std::size_t c = 0; c < shape.columns; ++c) {
        const float value = out.values()[r * shape.columns + c];
        const bool nan = r == 1 || c == 2;
        wrong += nan ? !std::isnan(value) : r == 3 ? value != kInfinity : !std::isfinite(value);
      }
    }
    CHECK(wrong == 0);
  }
}

}  // namespace
}  // namespace headlight::test
