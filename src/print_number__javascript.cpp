#include <emscripten/em_js.h>

#include "json_text.h"

extern "C" {

EM_JS(int, hl_print_number, (double value, char* letters), {
  const text = String(value);
  for (let i = 0; i < text.length; ++i) HEAPU8[letters + i] = text.charCodeAt(i);
  return text.length;
});

}  // extern "C"

namespace headlight {

// At most 24 letters.
std::size_t print_number(double value, char (&letters)[32]) {
  return static_cast<std::size_t>(hl_print_number(value, letters));
}

}  // namespace headlight
