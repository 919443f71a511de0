#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

// The bytes of base64 (RFC 4648, section 4) with its padding; none for anything else.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace headlight
