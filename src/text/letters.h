#pragma once

namespace headlight::unicode {

bool is_letter(char32_t code_point);  // general categories L*
bool is_number(char32_t code_point);  // general categories N*

}  // namespace headlight::unicode
