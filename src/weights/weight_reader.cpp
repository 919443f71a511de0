#include "weights/weight_reader.h"
#include "throw_error.h"

#include <limits>

#include "headlight.h"
#include "weights/safetensors.h"
#include "weights/torch_file.h"

namespace headlight {

std::optional<std::uint64_t> byte_count(const TensorEntry& tensor) {
  std::uint64_t bytes = dtype_size(tensor.dtype);
  for (const std::size_t dimension : tensor.shape) {
    if (dimension != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / dimension) return std::nullopt;
    bytes *= dimension;
  }
  return bytes;
}

std::string shape_text(std::span<const std::size_t> shape) {
  std::string text = "[";
  for (const std::size_t dimension : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(dimension);
  }
  return text + "]";
}

std::unique_ptr<WeightReader> make_weight_reader(const std::string& file, std::optional<std::uint64_t> size,
                                                 TensorVisitor visitor) {
  if (file.ends_with(".bin")) return std::make_unique<TorchReader>(file, std::move(visitor));
  return std::make_unique<SafetensorsReader>(file, size, std::move(visitor));
}

void refuse_other_files(std::string_view beginning, const std::string& file) {
  const bool page = beginning.starts_with('<');
  if (!page && !beginning.starts_with("version ")) return;
  throw_error(ErrorCode::E_NOT_A_MODEL,
              {"The file begins with \"", beginning,
               "\": ", (page ? "an HTML page" : "a Git LFS pointer, not the file itself")},
              {.file = file});
}

}  // namespace headlight
