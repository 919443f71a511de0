// Decimal numbers are read by JavaScript, which rounds as the C library does. The C library's own function computes in long
// double, emulated in 9 KB of code.

#include <emscripten/em_js.h>

#include <cstdlib>
#include <cstring>

extern "C" {

// text ends with a zero byte.
EM_JS(double, hl_parse_number, (const char* text), {
  let digits = "";
  for (let at = text; HEAPU8[at]; ++at) digits += String.fromCharCode(HEAPU8[at]);
  return Number(digits);
});

// What the linker calls instead of strtod. The text must be a number to its end: nlohmann's lexer, the only caller, gives no
// other.
double __wrap_strtod(const char* text, char** end) {
  if (end) *end = const_cast<char*>(text) + std::strlen(text);
  return hl_parse_number(text);
}

}  // extern "C"
