#include "support/pipeline_golden.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <optional>

#include "support/files.h"
#include "support/golden_report.h"

namespace headlight::test {

std::size_t for_each_call(const std::filesystem::path& root, const std::string& task,
                          const std::function<void(const Model&, const nlohmann::json& call)>& check) {
  std::size_t calls = 0;
  for (const auto& folder : golden_cases(root)) {
    const auto golden = nlohmann::json::parse(read_file(folder / "golden.json"));
    std::optional<Model> model;
    for (const auto& call : golden["pipeline"]) {
      if (call["task"].get<std::string>() != task) continue;
      INFO(folder.filename().string() << ": " << call.dump());
      if (!model) model.emplace(Model::load(folder));
      check(*model, call);
      ++calls;
    }
  }
  return calls;
}

void check_score(double actual, const nlohmann::json& expected) {
  CHECK(std::abs(actual - expected.get<double>()) <= 1e-4);
}

}  // namespace headlight::test
