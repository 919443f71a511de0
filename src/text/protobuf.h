#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "concat.h"

namespace headlight {

// Walks over the fields of one protobuf message. Everything throws E_INVALID_TOKENIZER with the byte's place for
// bytes that are cut off, a field of another wire type than the one asked for, and what no message may hold.
class ProtobufReader {
 public:
  // `bytes` begin at `offset` of `file`, which must outlive the reader.
  ProtobufReader(std::string_view bytes, const std::string& file, std::size_t offset = 0)
      : bytes_(bytes), file_(file), offset_(offset) {}

  // Goes to the next field; false at the end. A field that is not read is passed over.
  bool next();
  std::uint32_t field() const { return field_; }

  std::uint64_t integer();
  bool boolean() { return integer() != 0; }
  float real();
  std::string_view bytes();
  std::string text();        // valid UTF-8
  ProtobufReader message();  // the reader of a message within this one

  [[noreturn]] void refuse(const TextPiece& problem) const;

 private:
  std::uint64_t varint();
  std::string_view take(std::uint64_t size);
  void expect(std::uint32_t wire_type);

  std::string_view bytes_;
  const std::string& file_;
  std::size_t offset_;
  std::size_t at_ = 0;
  std::uint32_t field_ = 0, wire_type_ = 0;
  bool is_read_ = true;
};

}  // namespace headlight
