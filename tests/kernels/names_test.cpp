#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace headlight::test {
namespace {

namespace fs = std::filesystem;

// The grammar of docs/kernels.md: <op>_<types>_<tile>__<isa>.cpp.
const std::regex kName(
    "([a-z]+(?:_[a-z]+)*_(?:[fsu][0-9]+)+_[0-9]+x(?:[0-9]+|n))__(scalar|simd128|relaxed|native)");

TEST_CASE("kernel files are named by the grammar and each has its scalar definition") {
  const fs::path folder = fs::path(HEADLIGHT_SOURCE_DIR) / "src" / "kernels";
  std::vector<std::string> kernels;
  for (const auto& file : fs::directory_iterator(folder)) {
    const std::string stem = file.path().stem().string();
    if (file.path().extension() == ".cpp" && stem != "table") kernels.push_back(stem);
  }
  CHECK(kernels.size() >= 5);
  for (const std::string& kernel : kernels) {
    INFO(kernel);
    std::smatch parts;
    REQUIRE(std::regex_match(kernel, parts, kName));
    CHECK(fs::exists(folder / (parts[1].str() + "__scalar.cpp")));
  }
}

}  // namespace
}  // namespace headlight::test
