#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "headlight.h"

namespace headlight {

enum class Side { right, left };

// Tokens that are kept of each text.
struct Kept {
  std::size_t text = 0;
  std::size_t text_pair = 0;
};

// How Hugging Face's strategies divide `room` tokens between two texts of these lengths. longest_first takes
// from the longer text until both are as long, then halves the room, an odd token to the longer text.
// Throws E_INVALID_ARGUMENT when the one text that may be cut is too short for it.
Kept truncate(std::size_t text, std::optional<std::size_t> text_pair, std::size_t room, Truncation strategy);

// Tokens begin .. end - 1 of one text.
struct Window {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// What is kept, then the windows over the rest, each of at most `kept` tokens and sharing `stride` tokens
// with the one before. Nothing kept leaves a single window over all. side: the end that is cut off. Throws
// E_INVALID_ARGUMENT when the windows would not advance.
std::vector<Window> windows(std::size_t length, std::size_t kept, std::size_t stride, Side side);

}  // namespace headlight
