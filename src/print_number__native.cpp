#include <iterator>
#include <nlohmann/detail/conversions/to_chars.hpp>

#include "json_text.h"

namespace headlight {

std::size_t print_number(double value, char (&letters)[32]) {
  return static_cast<std::size_t>(nlohmann::detail::to_chars(letters, std::end(letters), value) - letters);
}

}  // namespace headlight
