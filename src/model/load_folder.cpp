// Loads a model from a folder of the file system.
#include <fstream>
#include <iterator>

#include "headlight.h"
#include "throw_error.h"

namespace headlight {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 18;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream)
    throw_error(ErrorCode::E_NOT_FOUND, "The file cannot be read", {.file = path.filename().string()});
  return bytes;
}

}  // namespace

Model Model::load(const std::filesystem::path& folder, const LoadOptions& options) {
  std::error_code error;
  std::vector<std::string> listing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    listing.push_back(entry.path().filename().string());
  }
  if (error) throw_error(ErrorCode::E_NOT_FOUND, {"There is no folder ", folder.string()});
  ModelLoader loader(options);
  for (const std::string& name : ModelLoader::small_files()) {
    if (std::filesystem::is_regular_file(folder / name, error)) {
      loader.add_file({name, read_file(folder / name)});
    }
  }
  for (const std::string& name : loader.weight_files(listing, {})) {
    const auto size = std::filesystem::file_size(folder / name, error);
    std::ifstream stream(folder / name, std::ios::binary);
    if (error || !stream) throw_error(ErrorCode::E_NOT_FOUND, "The file is missing", {.file = name});
    loader.begin_weights(name, size);
    std::vector<char> buffer(kReadBytes);
    while (stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), stream.gcount() > 0) {
      loader.feed(std::as_bytes(std::span(buffer).first(static_cast<std::size_t>(stream.gcount()))));
    }
    loader.end_weights();
  }
  return loader.finish();
}

}  // namespace headlight
