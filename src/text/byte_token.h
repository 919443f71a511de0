#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

// The token that stands for a byte where a model falls back to bytes: "<0x0A>".
std::string byte_token(unsigned char byte);

// The byte of such a token, whose digits may be of either case.
std::optional<unsigned char> byte_of_token(std::string_view token);

}  // namespace headlight
