// Matrices are packed for the kernels that they run with.
#include "weights/weight_map.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "kernels/table.h"
#include "ops/linear.h"

namespace headlight::test {
namespace {

constexpr std::size_t kInputs = 45;  // no multiple of any kernel's group
constexpr std::size_t kOutputs = 33;

float weight_at(std::size_t row, std::size_t column) {
  return std::sin(static_cast<float>(1 + row * kInputs + column));
}

TEST_CASE("a linear map is right with whichever kernels its WeightMap was made for") {
  std::vector<float> weight, bias(kOutputs), x(kInputs), exact(kOutputs);
  for (std::size_t i = 0; i < kInputs; ++i) x[i] = std::cos(static_cast<float>(i));
  for (std::size_t row = 0; row < kOutputs; ++row) {
    for (std::size_t i = 0; i < kInputs; ++i) {
      weight.push_back(weight_at(row, i));
      exact[row] += weight.back() * x[i];
    }
  }
  for (const kernels::Table* kernels : kernels::all()) {
    for (const MatrixSink::Form kept : {MatrixSink::Form::values, MatrixSink::Form::codes}) {
      INFO(kernels->isa << (kept == MatrixSink::Form::codes ? ", int8" : ", float32"));
      WeightMap map(*kernels);
      map.set_kept(kept);
      Linear linear;
      linear.bind(map, "dense", kInputs, kOutputs);
      const TensorEntry matrix{.name = "dense.weight",
                               .dtype = DType::F32,
                               .shape = {kOutputs, kInputs},
                               .begin = 0,
                               .end = sizeof(float) * weight.size()};
      map.open(matrix, "file")->write(0, weight);
      const TensorEntry vector{.name = "dense.bias",
                               .dtype = DType::F32,
                               .shape = {kOutputs},
                               .begin = 0,
                               .end = sizeof(float) * bias.size()};
      map.open(vector, "file")->write(0, bias);
      map.finish("file");

      std::vector<float> y(kOutputs);
      std::vector<std::byte> scratch;
      linear.forward(*kernels, Rows{x.data(), kInputs, 1}, MutableRows{y.data(), kOutputs}, scratch);
      for (std::size_t row = 0; row < kOutputs; ++row) {
        // int8 rounds each weight and each input to about a 254th of the largest.
        CHECK(std::abs(y[row] - exact[row]) < (kept == MatrixSink::Form::codes ? 0.2f : 1e-4f));
      }
    }
  }
}

}  // namespace
}  // namespace headlight::test
