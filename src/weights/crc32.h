// CRC-32 as zip has it (ISO 3309).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace headlight {

// The sum of bytes that follow those whose sum is `sum`; 0 at the beginning.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t sum = 0);

}  // namespace headlight
