#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::test {
namespace {

namespace fs = std::filesystem;

bool all_of(std::string_view text, int (*is)(int)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is);
}

// "f32", "u7s8": letters f, s, u, each followed by a number of bits.
bool is_types(std::string_view text) {
  while (!text.empty()) {
    const std::size_t next = std::min(text.find_first_of("fsu", 1), text.size());
    if (text.find_first_of("fsu") != 0 || !all_of(text.substr(1, next - 1), std::isdigit)) return false;
    text.remove_prefix(next);
  }
  return true;
}

// "6x8", "1xn"
bool is_tile(std::string_view text) {
  const std::size_t x = std::min(text.find('x'), text.size() - 1);
  const std::string_view columns = text.substr(x + 1);
  return all_of(text.substr(0, x), std::isdigit) && (columns == "n" || all_of(columns, std::isdigit));
}

// The grammar of docs/kernels.md: <op>_<types>_<tile>, where <op> is one word or several.
bool is_kernel(const std::string& name) {
  std::vector<std::string> parts;
  std::istringstream stream(name);
  for (std::string part; std::getline(stream, part, '_');) parts.push_back(part);
  return parts.size() >= 3 && is_tile(parts.back()) && is_types(parts[parts.size() - 2]) &&
         std::all_of(parts.begin(), parts.end() - 2,
                     [](const auto& word) { return all_of(word, std::islower); });
}

TEST_CASE("kernel files are named by the grammar and each has its scalar definition") {
  CHECK(is_kernel("layer_norm_f32_1xn"));
  CHECK(is_kernel("gemm_u7s8_6x8"));
  for (const char* wrong : {"gemm", "gemm_f32", "gemm_6x8", "f32_6x8", "gemm_f_6x8", "gemm_f32_x8",
                            "gemm_f32_6", "Gemm_f32_6x8"}) {
    CHECK_FALSE(is_kernel(wrong));
  }

  const fs::path folder = fs::path(HEADLIGHT_SOURCE_DIR) / "src" / "kernels";
  std::size_t kernels = 0;
  for (const auto& file : fs::directory_iterator(folder)) {
    const std::string stem = file.path().stem().string();
    if (file.path().extension() != ".cpp" || stem == "table" || stem == "self_test") continue;
    ++kernels;
    INFO(stem);
    const std::size_t isa = stem.find("__");
    REQUIRE(isa != std::string::npos);
    CHECK(is_kernel(stem.substr(0, isa)));
    const std::string_view known[] = {"scalar", "simd128", "relaxed", "relaxed16", "native"};
    CHECK(std::count(std::begin(known), std::end(known), stem.substr(isa + 2)) == 1);
    CHECK(fs::exists(folder / (stem.substr(0, isa) + "__scalar.cpp")));
  }
  CHECK(kernels >= 5);
}

}  // namespace
}  // namespace headlight::test
