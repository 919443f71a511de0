// The engine against what Hugging Face's transformers computed.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "headlight.h"
#include "support/files.h"
#include "support/golden_report.h"

namespace headlight::test {
namespace {

std::size_t check_all(const std::filesystem::path& root) {
  std::size_t cases = 0;
  for (const auto& folder : golden_cases(root)) {
    const CaseReport report = report_on(folder);
    INFO(headings() << line(report));
    CHECK(report.agrees());
    ++cases;
  }
  return cases;
}

TEST_CASE("the engine agrees with the committed goldens") { CHECK(check_all(committed_golden()) >= 4); }

TEST_CASE("the engine agrees with all goldens") {
  const auto root = whole_golden();
  if (!root) SKIP("the whole set of goldens is not beside the checkout; HEADLIGHT_GOLDEN may name it");
  CHECK(check_all(*root) >= 39);
}

TEST_CASE("attention rows sum to 1 in every family") {
  const auto root = whole_golden().value_or(committed_golden());
  for (const auto& folder : golden_cases(root)) {
    const Model model = Model::load(folder);
    const Encoding encoding = encoding_of(GoldenCase(folder).json["inputs"][0]);
    const ForwardResult result = model.forward({&encoding, 1}, everything()).at(0);
    REQUIRE(!result.attentions.empty());
    for (const Tensor& layer : result.attentions) {
      const auto n = static_cast<std::ptrdiff_t>(layer.shape.back());
      for (auto row = layer.data.begin(); row != layer.data.end(); row += n) {
        CHECK(std::abs(std::accumulate(row, row + n, 0.0) - 1) <= 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace headlight::test
