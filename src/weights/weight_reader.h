// What a reader of weight files tells of the tensors that it finds, whatever the file's form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weights/dtype.h"

namespace headlight {

struct TensorEntry {
  std::string name;
  DType dtype;
  std::vector<std::size_t> shape;
  std::uint64_t begin = 0;  // bytes, within the file's data part
  std::uint64_t end = 0;
  bool tied = false;  // another name for all elements of a tensor that stands before it

  std::size_t elements() const { return static_cast<std::size_t>(end - begin) / dtype_size(dtype); }
};

// Bytes that dtype and shape need; nothing when that does not fit into 64 bits.
std::optional<std::uint64_t> byte_count(const TensorEntry& tensor);

// "[30522, 384]"
std::string shape_text(std::span<const std::size_t> shape);

// Receives one tensor's elements in their order.
class TensorSink {
 public:
  virtual ~TensorSink() = default;
  virtual void write(std::size_t first, std::span<const float> values) = 0;
};

struct TensorVisitor {
  // All tensors, before the first of them.
  std::function<void(std::span<const TensorEntry>)> tensors;  // may be empty
  // Before a tensor's first element; several may be open at once. Null: its elements are skipped. A sink is given for
  // decodable types alone.
  std::function<TensorSink*(const TensorEntry&)> tensor;
  std::function<void(const TensorEntry&)> finished = {};  // after a tensor's last element; may be empty
};

// Reads a weight file that arrives in chunks of any size.
class WeightReader {
 public:
  virtual ~WeightReader() = default;
  // Throws E_MODEL_CORRUPT for what is damaged, E_NOT_A_MODEL for an HTML page; a reader that has thrown takes
  // nothing more.
  virtual void feed(std::span<const std::byte> bytes) = 0;
  // Throws E_MODEL_TRUNCATED when bytes are missing.
  virtual void end() = 0;
};

// A reader of the form that the name tells: PyTorch's for `.bin`, else safetensors. size: of the whole file, where it
// is known.
std::unique_ptr<WeightReader> make_weight_reader(const std::string& file, std::optional<std::uint64_t> size,
                                                 TensorVisitor visitor);

// Throws E_NOT_A_MODEL when a file that begins so is an HTML page or a Git LFS pointer.
void refuse_other_files(std::string_view beginning, const std::string& file);

}  // namespace headlight
