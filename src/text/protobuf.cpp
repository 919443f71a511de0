#include "text/protobuf.h"
#include "throw_error.h"

#include <bit>

#include "headlight.h"
#include "text/utf8.h"

namespace headlight {

namespace {

enum WireType : std::uint32_t { varint_type = 0, fixed64_type = 1, bytes_type = 2, fixed32_type = 5 };

}  // namespace

bool ProtobufReader::next() {
  if (!is_read_) {
    if (wire_type_ == varint_type) {
      varint();
    } else {
      take(wire_type_ == bytes_type ? varint() : wire_type_ == fixed64_type ? 8 : 4);
    }
  }
  is_read_ = at_ == bytes_.size();
  if (is_read_) return false;
  const std::uint64_t key = varint();
  wire_type_ = key & 7;
  if (key >> 3 == 0 || key >> 32 != 0) refuse("A field's number is impossible");
  field_ = static_cast<std::uint32_t>(key >> 3);
  if (wire_type_ != varint_type && wire_type_ != fixed64_type && wire_type_ != bytes_type &&
      wire_type_ != fixed32_type) {
    refuse({"The field ", field_, " is of an unknown wire type"});
  }
  return true;
}

std::uint64_t ProtobufReader::integer() {
  expect(varint_type);
  return varint();
}

float ProtobufReader::real() {
  expect(fixed32_type);
  std::uint32_t bits = 0;
  const std::string_view bytes = take(4);
  for (std::size_t i = 4; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
  return std::bit_cast<float>(bits);
}

std::string_view ProtobufReader::bytes() {
  expect(bytes_type);
  return take(varint());
}

std::string ProtobufReader::text() {
  const std::string_view value = bytes();
  if (find_invalid_utf8(value)) refuse({"The field ", field_, " is not valid UTF-8"});
  return std::string(value);
}

ProtobufReader ProtobufReader::message() {
  const std::string_view value = bytes();
  return ProtobufReader(value, file_, offset_ + at_ - value.size());
}

void ProtobufReader::refuse(const TextPiece& problem) const {
  throw_error(ErrorCode::E_INVALID_TOKENIZER, problem, {.file = file_, .offset = offset_ + at_});
}

std::uint64_t ProtobufReader::varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(take(1)[0]);
    if (shift == 63 && byte > 1) break;
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  refuse("A number has more than 64 bits");
}

std::string_view ProtobufReader::take(std::uint64_t size) {
  if (size > bytes_.size() - at_) refuse({"The file ends within the field ", field_});
  const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(size));
  at_ += taken.size();
  return taken;
}

void ProtobufReader::expect(std::uint32_t wire_type) {
  if (wire_type_ != wire_type) {
    refuse({"The field ", field_, " is of the wrong wire type ", wire_type_});
  }
  is_read_ = true;
}

}  // namespace headlight
