#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace headlight {

// A JSON value as text without spaces. Invalid UTF-8 becomes U+FFFD, numbers that are not finite become null.
std::string json_text(const nlohmann::json& value);

}  // namespace headlight
