// What tasks share before the forward pass: text to tokens that fit the model.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "headlight.h"

namespace headlight {

struct FittedEncoding {
  Encoding encoding;           // without `overflow`
  std::vector<Cut> truncated;  // empty: all was read
};

// Encodes inputs[index], truncated (longest first) to info().max_length tokens.
// Throws E_TOO_LONG instead of truncating where `overlong` says so. parse_special_tokens: as TokenizeOptions'.
FittedEncoding encode_to_fit(const Model& model, std::span<const Input> inputs, std::size_t index,
                             Overlong overlong, bool parse_special_tokens);

// "BertForMaskedLM", or of a bare encoder "a bare bert encoder": for messages.
std::string describe(const ModelInfo& info);

}  // namespace headlight
