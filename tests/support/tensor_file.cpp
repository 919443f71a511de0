#include "support/tensor_file.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "support/files.h"

namespace headlight::test {
namespace {

float from_f16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  float magnitude =
      std::ldexp(static_cast<float>(exponent ? 1024 + fraction : fraction), std::max(exponent, 1) - 25);
  if (exponent == 31) magnitude = fraction ? NAN : INFINITY;
  return bits & 0x8000 ? -magnitude : magnitude;
}

std::uint16_t to_f16(float value) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  const float magnitude = std::abs(value);
  const int exponent = magnitude == 0 ? -14 : std::max(std::ilogb(magnitude), -14);
  // The integer part counts units of the last place; a carry runs on into the exponent's bits, as it should.
  const int units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<std::uint16_t>(sign + ((exponent + 14) << 10) + units);
}

float from_bf16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

std::uint16_t to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

template <typename Stored, typename Convert>
std::vector<float> decode(std::string_view bytes, Convert convert) {
  std::vector<float> values;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Stored)) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + at, sizeof stored);
    values.push_back(convert(stored));
  }
  return values;
}

std::vector<float> decode(const std::string& dtype, std::string_view bytes) {
  const auto to_float = [](auto x) { return static_cast<float>(x); };
  if (dtype == "F16") return decode<std::uint16_t>(bytes, from_f16);
  if (dtype == "BF16") return decode<std::uint16_t>(bytes, from_bf16);
  if (dtype == "I8") return decode<std::int8_t>(bytes, to_float);
  if (dtype == "I32") return decode<std::int32_t>(bytes, to_float);
  if (dtype == "I64") return decode<std::int64_t>(bytes, to_float);
  return decode<float>(bytes, to_float);
}

std::string encode(const std::string& dtype, const std::vector<float>& values) {
  std::string bytes;
  const auto append = [&bytes](auto x) { bytes.append(reinterpret_cast<const char*>(&x), sizeof x); };
  for (const float value : values) {
    if (dtype == "F16") {
      append(to_f16(value));
    } else if (dtype == "BF16") {
      append(to_bf16(value));
    } else {
      append(value);
    }
  }
  return bytes;
}

}  // namespace

Tensors read_tensors(const std::filesystem::path& file) {
  const std::string bytes = read_file(file);
  std::uint64_t header_size;
  std::memcpy(&header_size, bytes.data(), sizeof header_size);
  const std::size_t data = sizeof header_size + static_cast<std::size_t>(header_size);
  const auto header =
      nlohmann::json::parse(bytes.begin() + sizeof header_size, bytes.begin() + static_cast<long>(data));
  Tensors tensors;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const std::size_t begin = entry["data_offsets"][0], end = entry["data_offsets"][1];
    tensors[name] = {decode(entry["dtype"], std::string_view(bytes).substr(data + begin, end - begin)),
                     entry["shape"]};
  }
  return tensors;
}

void write_tensors(const std::filesystem::path& file, const Tensors& tensors, const std::string& dtype) {
  nlohmann::json header = {{"__metadata__", {{"format", "pt"}}}};
  std::string data;
  for (const auto& [name, tensor] : tensors) {
    const std::size_t begin = data.size();
    data += encode(dtype, tensor.data);
    header[name] = {{"dtype", dtype}, {"shape", tensor.shape}, {"data_offsets", {begin, data.size()}}};
  }
  write_file(file, safetensors(header.dump(), data));
}

std::vector<float> rounded_to(const std::string& dtype, std::vector<float> values) {
  return decode(dtype, encode(dtype, values));
}

}  // namespace headlight::test
