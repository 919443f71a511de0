// Reads and writes safetensors for tests. Independent of the engine's reader, and trusting: its files are the
// tests' own.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "headlight.h"

namespace headlight::test {

// Tensors by name; F32, F16, BF16, I8, I32 and I64 are read into floats.
using Tensors = std::map<std::string, Tensor>;

Tensors read_tensors(const std::filesystem::path& file);

// dtype: "F32", "F16" or "BF16"; values are rounded to nearest even.
void write_tensors(const std::filesystem::path& file, const Tensors& tensors,
                   const std::string& dtype = "F32");

// What is left of values when they are stored as dtype.
std::vector<float> rounded_to(const std::string& dtype, std::vector<float> values);

}  // namespace headlight::test
