// Files, folders and the environment, the same natively and in WebAssembly under Node.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headlight::test {

std::string read_file(const std::filesystem::path& file);
void write_file(const std::filesystem::path& file, std::string_view bytes);

// A safetensors file: length of the header, header, data.
std::string safetensors(const std::string& header, std::string_view data);

// A folder of its own that goes when this does.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// tests/data/golden: the few cases that always run.
std::filesystem::path committed_golden();
// The whole set: HEADLIGHT_GOLDEN, else ../shared/golden beside the checkout; empty where neither is there.
std::optional<std::filesystem::path> whole_golden();
// The demo models that the articles' goldens were made with: `models` beside the whole set.
std::optional<std::filesystem::path> demo_models();

}  // namespace headlight::test
