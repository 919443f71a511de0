#include "weights/dtype.h"

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>

namespace headlight {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

struct DTypeInfo {
  DType dtype;
  std::string_view name;
  std::size_t size;
};

constexpr DTypeInfo kDTypes[] = {
    {DType::F64, "F64", 8},   {DType::F32, "F32", 4},         {DType::F16, "F16", 2},
    {DType::BF16, "BF16", 2}, {DType::F8_E4M3, "F8_E4M3", 1}, {DType::F8_E5M2, "F8_E5M2", 1},
    {DType::I64, "I64", 8},   {DType::U64, "U64", 8},         {DType::I32, "I32", 4},
    {DType::U32, "U32", 4},   {DType::I16, "I16", 2},         {DType::U16, "U16", 2},
    {DType::I8, "I8", 1},     {DType::U8, "U8", 1},           {DType::BOOL, "BOOL", 1},
};

const DTypeInfo& info(DType dtype) { return kDTypes[static_cast<std::size_t>(dtype)]; }

// IEEE 754 binary16. Exponent and mantissa are moved into place and rebased by a multiplication, which is exact
// and makes subnormal numbers normal; infinity and NaN get the greatest exponent.
float decode_f16(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(half & 0x7FFFu) << 13;
  if (magnitude >= 0x0F800000u) return std::bit_cast<float>(sign | 0x70000000u | magnitude);
  return std::bit_cast<float>(sign |
                              std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f));
}

float decode_bf16(std::uint16_t half) { return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16); }

template <typename Stored, typename Convert>
void convert(std::span<const std::byte> bytes, std::span<float> out, Convert to_float) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    out[i] = to_float(stored);
  }
}

}  // namespace

std::optional<DType> dtype_from_name(std::string_view name) {
  for (const DTypeInfo& entry : kDTypes) {
    if (entry.name == name) return entry.dtype;
  }
  return std::nullopt;
}

std::string_view dtype_name(DType dtype) { return info(dtype).name; }
std::size_t dtype_size(DType dtype) { return info(dtype).size; }

bool is_decodable(DType dtype) {
  return dtype == DType::F64 || dtype == DType::F32 || dtype == DType::F16 || dtype == DType::BF16 ||
         dtype == DType::I8;
}

void decode(DType dtype, std::span<const std::byte> bytes, std::span<float> out) {
  assert(is_decodable(dtype) && bytes.size() == out.size() * dtype_size(dtype));
  switch (dtype) {
    case DType::F64:
      return convert<double>(bytes, out, [](double value) { return static_cast<float>(value); });
    case DType::F16:
      return convert<std::uint16_t>(bytes, out, decode_f16);
    case DType::BF16:
      return convert<std::uint16_t>(bytes, out, decode_bf16);
    case DType::I8:
      return convert<std::int8_t>(bytes, out, [](std::int8_t code) { return static_cast<float>(code); });
    default:
      std::memcpy(out.data(), bytes.data(), bytes.size());
  }
}

}  // namespace headlight
