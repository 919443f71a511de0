// One input as the encoder reads it: its tokens without padding.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/encoder.h"

namespace headlight {

struct TokenSequence {
  std::vector<TokenInput> tokens;
  std::size_t padded;                      // with padding
  std::size_t offset;                      // padding before the first token
  std::vector<std::size_t> global_tokens;  // ascending
};

// index: of the input, for messages. global_tokens: as ForwardOptions'. Throws E_INVALID_ARGUMENT for arrays of different
// length, ids, types, global tokens and a task that the model does not know, and where there is no token; E_TOO_LONG.
TokenSequence read_sequence(const EncoderModel& model, const Encoding& encoding, std::size_t index,
                            const std::optional<std::vector<std::size_t>>& global_tokens,
                            std::size_t task_type_id);

}  // namespace headlight
