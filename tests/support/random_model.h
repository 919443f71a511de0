// Hugging Face folders of any family with random weights, for what no golden has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace headlight::test {

// config.json, the tokenizer of random_bert.h and model.safetensors with every weight that the config asks for.
void write_random_model(const std::filesystem::path& folder, const nlohmann::json& config,
                        std::uint32_t seed = 1);

}  // namespace headlight::test
