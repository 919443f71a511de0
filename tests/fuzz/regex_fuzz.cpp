// Regular expressions of tokenizer.json: a pattern, a 0 byte, a text.
#include "fuzz.h"
#include "text/regex.h"
#include "text/utf8.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  fuzz::Input input(data, size);
  const std::u32string pattern = decode_utf8(input.until('\0'));
  const std::u32string text = decode_utf8(input.rest());
  fuzz::allow_errors([&] {
    std::size_t from = 0;
    for (const Regex::Match& match : Regex(pattern).find_all(text)) {
      if (match.begin < from || match.end < match.begin || match.end > text.size()) __builtin_trap();
      from = match.end;
    }
  });
  return 0;
}
