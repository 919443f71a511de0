#include "kernels/self_test.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

namespace headlight::test {
namespace {

using kernels::failing_kernels;
using kernels::Table;
using Names = std::vector<std::string_view>;

TEST_CASE("self-test: every table of this build is right") {
  for (const Table* table : kernels::all()) {
    INFO(table->isa);
    CHECK(failing_kernels(*table).empty());
  }
}

// Each with a fault of its own: one number, one tile or one row is wrong.
TEST_CASE("self-test: a wrong kernel is named") {
  const Table& right = kernels::best();
  Table wrong = right;
  Names expected;
  SECTION("gemm_f32: the last row of a tile") {
    wrong.gemm_f32 = [](const kernels::GemmF32& g) {
      kernels::best().gemm_f32(g);
      g.out[5 * g.out_stride] += 1e-3f;
    };
    expected = {"gemm_f32"};
  }
  SECTION("gemm_i8: the last column") {
    wrong.gemm_i8 = [](const kernels::GemmI8& g) {
      kernels::best().gemm_i8(g);
      g.out[g.columns - 1] *= -1;
    };
    expected = {"gemm_i8"};
  }
  SECTION("quantise_i8: one code") {
    wrong.quantise_i8 = [](const float* x, std::size_t k, std::byte* codes) {
      const auto result = kernels::best().quantise_i8(x, k, codes);
      codes[3] ^= std::byte{1};
      return result;
    };
    expected = {"quantise_i8"};
  }
  SECTION("softmax_f32: NaN") {
    wrong.softmax_f32 = [](float* x, std::size_t, float) { x[0] = NAN; };
    expected = {"softmax_f32"};
  }
  SECTION("layer_norm_f32: nothing written") {
    wrong.layer_norm_f32 = [](const float*, const float*, const float*, float, std::size_t, float*) {};
    expected = {"layer_norm_f32"};
  }
  SECTION("gelu_f32 and gelu_tanh_f32: one for the other") {
    std::swap(wrong.gelu_f32, wrong.gelu_tanh_f32);
    expected = {"gelu_f32", "gelu_tanh_f32"};
  }
  CHECK(failing_kernels(wrong) == expected);
}

}  // namespace
}  // namespace headlight::test
