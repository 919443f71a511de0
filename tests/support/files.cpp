#include "support/files.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#endif

namespace headlight::test {
namespace fs = std::filesystem;
namespace {

fs::path golden_from_environment() {
#ifdef __EMSCRIPTEN__  // getenv() knows nothing of Node's environment
  return emscripten_run_script_string("process.env.HEADLIGHT_GOLDEN || ''");
#else
  const char* value = std::getenv("HEADLIGHT_GOLDEN");
  return value ? value : "";
#endif
}

}  // namespace

std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_file(const fs::path& file, std::string_view bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream) throw std::runtime_error("cannot write " + file.string());
}

std::string safetensors(const std::string& header, std::string_view data) {
  const std::uint64_t size = header.size();
  std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);
  return bytes.append(header).append(data);
}

TemporaryFolder::TemporaryFolder() {
  std::random_device random;
  do {
    path_ = fs::temp_directory_path() / ("headlight-test-" + std::to_string(random()));
  } while (!fs::create_directory(path_));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path committed_golden() { return fs::path(HEADLIGHT_TEST_DATA) / "golden"; }

std::optional<fs::path> whole_golden() {
  fs::path folder = golden_from_environment();
  if (folder.empty()) folder = fs::path(HEADLIGHT_SOURCE_DIR) / ".." / "shared" / "golden";
  if (!fs::exists(folder / "index.json")) return std::nullopt;
  return folder;
}

std::optional<fs::path> demo_models() {
  const auto golden = whole_golden();
  if (!golden || !fs::exists(*golden / ".." / "models")) return std::nullopt;
  return *golden / ".." / "models";
}

}  // namespace headlight::test
