#include "weights/crc32.h"

#include <array>
#include <cstring>

namespace headlight {
namespace {

// Eight bytes a step: M. Kounavis, F. Berry, Novel Table Lookup-Based Algorithms for High-Performance CRC Generation.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

Tables make_tables() {
  constexpr std::uint32_t kPolynomial = 0xEDB88320u;
  Tables tables;
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t sum = i;
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? kPolynomial : 0);
    tables[0][i] = sum;
  }
  for (std::size_t t = 1; t < tables.size(); ++t) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t sum = tables[t - 1][i];
      tables[t][i] = sum >> 8 ^ tables[0][sum & 255];
    }
  }
  return tables;
}

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t sum) {
  static const Tables tables = make_tables();
  sum = ~sum;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::uint32_t low = 0, high = 0;
    std::memcpy(&low, bytes.data(), 4);
    std::memcpy(&high, bytes.data() + 4, 4);
    low ^= sum;
    sum = tables[7][low & 255] ^ tables[6][low >> 8 & 255] ^ tables[5][low >> 16 & 255] ^
          tables[4][low >> 24] ^ tables[3][high & 255] ^ tables[2][high >> 8 & 255] ^
          tables[1][high >> 16 & 255] ^ tables[0][high >> 24];
  }
  for (const std::byte byte : bytes) {
    sum = sum >> 8 ^ tables[0][(sum ^ static_cast<std::uint32_t>(byte)) & 255];
  }
  return ~sum;
}

}  // namespace headlight
