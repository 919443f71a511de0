// Throws an Error. A call costs a few instructions: what makes the message and the place stands here once.
#pragma once

#include <cstdint>
#include <optional>

#include "concat.h"
#include "headlight.h"

namespace headlight {

// An ErrorPlace that refers to its texts.
struct FaultPlace {
  TextPiece file = {};
  TextPiece tensor = {};
  std::optional<std::uint64_t> offset = {};
};

// A message of several pieces is written {"The file has ", size, " bytes"}.
[[noreturn]] void throw_error(ErrorCode code, const TextPiece& message);
[[noreturn]] void throw_error(ErrorCode code, const TextPiece& message, const FaultPlace& place);

}  // namespace headlight
