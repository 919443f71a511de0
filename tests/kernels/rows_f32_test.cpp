// The kernels that work on one row: softmax, layer_norm, gelu, gelu_tanh; and that which only moves numbers: transpose.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

#include "kernels/guarded.h"
#include "kernels/table.h"
#include "support/closeness.h"

namespace headlight::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr double kEpsilon = std::numeric_limits<float>::epsilon();
constexpr std::size_t kLongest = 37;  // past two tiles of any width in the table

using RowKernel = std::function<void(std::span<float>)>;
using Definition = std::function<std::vector<double>(std::span<const float>)>;

// Runs the kernel on rows of all lengths at all alignments and compares with the definition in float64.
void check_rows(std::string_view isa, const RowKernel& kernel, const Definition& definition, float low,
                float high, double tolerance) {
  std::mt19937 random(5);
  for (std::size_t n = 1; n <= kLongest; ++n) {
    for (std::size_t shift = 0; shift < 4; ++shift) {
      Guarded row(n, shift);
      row.fill(random, low, high);
      const std::vector<double> expected = definition(row.values());
      kernel(row.values());
      double greatest = 0;
      for (std::size_t i = 0; i < n; ++i)
        greatest = std::max(greatest, std::abs(row.values()[i] - expected[i]));
      INFO(isa << ": n = " << n << ", shift " << shift);
      CHECK(greatest <= tolerance);
      CHECK(row.intact());
    }
  }
}

std::vector<double> softmax(std::span<const float> x, double scale) {
  const double max = *std::max_element(x.begin(), x.end()) * scale;
  std::vector<double> result;
  for (const double value : x) result.push_back(std::exp(value * scale - max));
  const double sum = std::accumulate(result.begin(), result.end(), 0.0);
  for (double& value : result) value /= sum;
  return result;
}

double gelu(double x) { return x / 2 * (1 + std::erf(x / std::numbers::sqrt2)); }

double gelu_tanh(double x) {
  return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

TEST_CASE("softmax_f32: every variant agrees with the definition") {
  for (const kernels::Table* table : kernels::all()) {
    for (const float scale : {1.0f, 0.125f, 3.0f}) {
      check_rows(
          table->isa, [&](std::span<float> x) { table->softmax_f32(x.data(), x.size(), scale); },
          [&](std::span<const float> x) { return softmax(x, scale); }, -20, 20, 1e-6);
    }
  }
}

TEST_CASE("softmax_f32: rows sum to 1, whatever the range of the scores") {
  std::mt19937 random(6);
  for (const kernels::Table* table : kernels::all()) {
    for (const float range : {0.0f, 1e-3f, 10.0f, 1e4f, 1e30f}) {
      for (const std::size_t n : {1, 5, 64, 513}) {
        Guarded row(n);
        row.fill(random, -range, range);
        table->softmax_f32(row.data(), n, 0.5f);
        INFO(table->isa << ": n = " << n << ", range " << range);
        CHECK(std::abs(std::accumulate(row.values().begin(), row.values().end(), 0.0) - 1) <= 1e-5);
      }
    }
  }
}

TEST_CASE("softmax_f32: what is masked by -infinity gets 0, a row of nothing else NaN, and NaN spreads") {
  for (const kernels::Table* table : kernels::all()) {
    for (std::size_t n = 2; n <= kLongest; ++n) {
      for (std::size_t at = 0; at < n; ++at) {
        INFO(table->isa << ": n = " << n << ", at " << at);
        std::vector<float> masked(n, 1.0f);
        masked[at] = -kInfinity;
        table->softmax_f32(masked.data(), n, 1);
        std::vector<float> expected(n, 1.0f / static_cast<float>(n - 1));
        expected[at] = 0;
        CHECK(greatest_difference(masked, expected) <= 1e-6);

        std::vector<float> nan(n, 1.0f);
        nan[at] = NAN;
        table->softmax_f32(nan.data(), n, 1);
        CHECK(std::all_of(nan.begin(), nan.end(), [](float x) { return std::isnan(x); }));
      }
      std::vector<float> nothing(n, -kInfinity);
      table->softmax_f32(nothing.data(), n, 1);
      CHECK(std::all_of(nothing.begin(), nothing.end(), [](float x) { return std::isnan(x); }));
    }
  }
}

TEST_CASE("layer_norm_f32: every variant agrees with the definition, in place too") {
  std::mt19937 random(7);
  for (const kernels::Table* table : kernels::all()) {
    for (const float eps : {1e-12f, 1e-5f, 0.01f}) {
      for (std::size_t n = 1; n <= kLongest; ++n) {
        const std::size_t shift = n % 4;
        Guarded x(n, shift), weight(n, shift), bias(n, shift), out(n, shift);
        x.fill(random, 1, 5);
        weight.fill(random);
        bias.fill(random);
        const std::span<const float> in = x.values();
        const double mean = std::accumulate(in.begin(), in.end(), 0.0) / static_cast<double>(n);
        double variance = 0;
        for (const float value : in) variance += (value - mean) * (value - mean) / static_cast<double>(n);
        std::vector<float> expected;
        for (std::size_t i = 0; i < n; ++i) {
          const double normal = (in[i] - mean) / std::sqrt(variance + static_cast<double>(eps));
          expected.push_back(static_cast<float>(normal * weight.values()[i] + bias.values()[i]));
        }
        table->layer_norm_f32(x.data(), weight.data(), bias.data(), eps, n, out.data());
        INFO(table->isa << ": n = " << n << ", eps " << eps);
        // The mean is off by an epsilon of the values; dividing by a small deviation magnifies that.
        const double magnified = 5 / std::sqrt(variance + static_cast<double>(eps));
        CHECK(greatest_difference(out.values(), expected) <= 4 * kEpsilon * (1 + magnified));
        CHECK(out.intact());
        table->layer_norm_f32(x.data(), weight.data(), bias.data(), eps, n, x.data());
        CHECK(greatest_difference(x.values(), out.values()) == 0);
        CHECK(x.intact());
      }
    }
  }
}

TEST_CASE("layer_norm_f32: zeros give the bias, NaN spreads over its row") {
  for (const kernels::Table* table : kernels::all()) {
    for (std::size_t n = 1; n <= kLongest; ++n) {
      std::vector<float> x(n, 0.0f), weight(n, 3.0f), bias(n, 0.25f);
      INFO(table->isa << ": n = " << n);
      std::vector<float> out(n);
      table->layer_norm_f32(x.data(), weight.data(), bias.data(), 1e-12f, n, out.data());
      CHECK(out == bias);
      x[n / 2] = NAN;
      table->layer_norm_f32(x.data(), weight.data(), bias.data(), 1e-12f, n, out.data());
      CHECK(std::all_of(out.begin(), out.end(), [](float value) { return std::isnan(value); }));
    }
  }
}

struct Elementwise {
  void (*kernel)(float* x, std::size_t n);
  double (*definition)(double x);
};

std::array<Elementwise, 2> elementwise(const kernels::Table& table) {
  return {{{table.gelu_f32, gelu}, {table.gelu_tanh_f32, gelu_tanh}}};
}

TEST_CASE("gelu_f32, gelu_tanh_f32: every variant agrees with the definition") {
  for (const kernels::Table* table : kernels::all()) {
    for (const auto& [kernel, definition] : elementwise(*table)) {
      for (const float range : {0.0f, 0.01f, 1.0f, 6.0f}) {
        check_rows(
            table->isa, [kernel](std::span<float> x) { kernel(x.data(), x.size()); },
            [definition](std::span<const float> x) {
              std::vector<double> result;
              for (const float value : x) result.push_back(definition(value));
              return result;
            },
            -range, range, 2e-6);
      }
    }
  }
}

TEST_CASE("gelu_f32, gelu_tanh_f32: far from zero, infinite and NaN") {
  for (const kernels::Table* table : kernels::all()) {
    for (const auto& [kernel, definition] : elementwise(*table)) {
      std::vector<float> x{kInfinity, NAN, 1e30f, -1e30f, 50, -50, 10, -10};
      kernel(x.data(), x.size());
      INFO(table->isa);
      CHECK(x[0] == kInfinity);
      CHECK(std::isnan(x[1]));
      CHECK(x[2] == 1e30f);
      CHECK(std::abs(x[3]) <= 1e-6);
      CHECK(x[4] == 50);
      CHECK(std::abs(x[5]) <= 1e-6);
      CHECK(x[6] == 10);
      CHECK(std::abs(x[7]) <= 1e-6);
    }
  }
}

TEST_CASE("elementwise kernels give the same at every place in a row") {
  for (const kernels::Table* table : kernels::all()) {
    for (const auto& [kernel, definition] : elementwise(*table)) {
      for (std::size_t n = 1; n <= kLongest; ++n) {
        std::vector<float> row(n, 0.7f);
        kernel(row.data(), n);
        INFO(table->isa << ": n = " << n);
        CHECK(std::count(row.begin(), row.end(), row[0]) == static_cast<std::ptrdiff_t>(n));
      }
    }
  }
}

TEST_CASE("transpose_f32: every variant turns rows into columns, block by block") {
  constexpr std::size_t kBlock = kernels::kPanelColumns * kernels::kPanelColumns;
  std::mt19937 random(5);
  for (const kernels::Table* table : kernels::all()) {
    for (const std::size_t stride : {kBlock, kBlock + 8, 3 * kBlock}) {
      for (std::size_t shift = 0; shift < 4; ++shift) {
        Guarded from(2 * stride + kBlock, shift), out(3 * kBlock, shift);
        from.fill(random, -1, 1);
        table->transpose_f32(from.values().data(), stride, 3, out.values().data());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < 3 * kBlock; ++i) {
          const std::size_t block = i / kBlock, c = i % kBlock / 8, r = i % 8;
          wrong += out.values()[i] != from.values()[block * stride + r * 8 + c];
        }
        INFO(table->isa << ": stride " << stride << ", shift " << shift);
        CHECK(wrong == 0);
        CHECK(out.intact());
      }
    }
  }
}

}  // namespace
}  // namespace headlight::test
