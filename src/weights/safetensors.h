// The safetensors format: eight bytes of header length, a JSON header, then the tensors' bytes without gaps.
// https://github.com/huggingface/safetensors#format
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weights/weight_reader.h"

namespace headlight {

struct SafetensorsHeader {
  std::vector<TensorEntry> tensors;             // in the order of their bytes
  std::map<std::string, std::string> metadata;  // "__metadata__"
  std::uint64_t data_offset = 0;                // of the data part within the file
  std::uint64_t data_size = 0;

  // json: the header alone, without its length. Throws E_MODEL_CORRUPT when an offset, an overlap, a gap, a size,
  // a shape, a name or the JSON is wrong, E_UNSUPPORTED_DTYPE for an element type that the format does not have.
  static SafetensorsHeader parse(std::string_view json, const std::string& file);

  // Length and JSON header of a file with these tensors, which get their offsets here, in the given order.
  static std::string write(std::vector<TensorEntry>& tensors,
                           const std::map<std::string, std::string>& metadata);
};

// Reads a file that arrives in chunks of any size, and keeps no more of it than the header and one element.
class SafetensorsReader : public WeightReader {
 public:
  // size: of the whole file, where it is known.
  SafetensorsReader(std::string file, std::optional<std::uint64_t> size, TensorVisitor visitor);

  // Throws as SafetensorsHeader::parse does, and E_MODEL_CORRUPT for bytes after the end.
  void feed(std::span<const std::byte> bytes) override;
  void end() override;

 private:
  void read_header(std::span<const std::byte>& bytes);
  void check_length() const;
  void start_tensor();
  void read_tensor(std::span<const std::byte>& bytes);

  std::string file_;
  std::optional<std::uint64_t> size_;
  TensorVisitor visitor_;
  std::uint64_t position_ = 0;  // bytes of the file consumed
  std::string pending_;         // of the header, or of an element that a chunk's end cuts
  std::uint64_t header_length_ = 0;
  std::optional<SafetensorsHeader> header_;
  std::size_t tensor_ = 0;   // index of the one being read
  std::size_t element_ = 0;  // within it
  TensorSink* sink_ = nullptr;
};

}  // namespace headlight
