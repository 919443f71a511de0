// The engine's own encoder, for tests of what is inside a Model.
#pragma once

#include <filesystem>
#include <memory>

#include "model/encoder.h"

namespace headlight::test {

// A Hugging Face folder with model.safetensors, in float32.
std::unique_ptr<EncoderModel> load_encoder(const std::filesystem::path& folder);

}  // namespace headlight::test
