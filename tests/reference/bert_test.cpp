#include "reference/bert.h"

#include <catch2/catch_test_macros.hpp>

#include "support/files.h"
#include "support/golden_report.h"

namespace headlight::test {
namespace {

// The goldens are float32: float64 stays within their own rounding, at most 3.2e-5 of the greatest logit.
constexpr double kGoldenRounding = 3.5e-5;

std::size_t check_all(const std::filesystem::path& root) {
  const auto cases = bert_cases(root);
  for (const auto& folder : cases) {
    const GoldenCase golden(folder);
    const reference::Bert bert(folder);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < golden.json["inputs"].size(); ++i) {
      const ForwardResult result = bert.forward(encoding_of(golden.json["inputs"][i]));
      for (const auto& [quantity, agreement] : agreement_of(golden, i, result, kGoldenRounding)) {
        INFO(golden.name << ", input " << i << ": " << quantity << " differs by " << agreement.difference);
        CHECK(agreement.share <= 1);
        ++compared;
      }
    }
    CHECK(compared >= golden.json["inputs"].size());
  }
  return cases.size();
}

TEST_CASE("the float64 encoder agrees with the committed goldens") {
  CHECK(check_all(committed_golden()) == 4);
}

TEST_CASE("the float64 encoder agrees with all goldens") {
  const auto root = whole_golden();
  if (!root) SKIP("the whole set of goldens is not beside the checkout; HEADLIGHT_GOLDEN may name it");
  CHECK(check_all(*root) >= 11);
}

}  // namespace
}  // namespace headlight::test
