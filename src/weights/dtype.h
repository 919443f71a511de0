// Element types of safetensors files and their conversion to float32.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace headlight {

enum class DType { F64, F32, F16, BF16, F8_E4M3, F8_E5M2, I64, U64, I32, U32, I16, U16, I8, U8, BOOL };

std::optional<DType> dtype_from_name(std::string_view name);  // "BF16"
std::string_view dtype_name(DType dtype);
std::size_t dtype_size(DType dtype);  // bytes an element

// Whether decode() takes it: F64 (rounded), F32, F16, BF16, and I8 for the codes of an int8 pack.
bool is_decodable(DType dtype);

// Converts out.size() little-endian elements; `bytes` holds exactly these.
void decode(DType dtype, std::span<const std::byte> bytes, std::span<float> out);

}  // namespace headlight
