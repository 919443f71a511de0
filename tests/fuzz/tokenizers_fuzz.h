// Tokenizers that load must also work.
#pragma once

#include <vector>

#include "fuzz.h"

namespace headlight::fuzz {

// Texts of all kinds of characters.
inline constexpr std::string_view kTexts[] = {
    "", " ", "The movie was absolutely fantastic!", "  a\tb\r\n c", "\u8d85\u7ea7\u5dee\u8bc4", "na\u00efve \ufb01ne e\u0301",
    "[CLS] [MASK] </s> <mask>", "\u0627\u0644\u0639 \u05d0\u05d1", "\U0001F469\u200d\U0001F469\u200d\U0001F467 \U0001F1E9\U0001F1EA",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};

inline void use_tokenizer(const std::vector<File>& files) {
  allow_errors([&] {
    const Tokenizer tokenizer = Tokenizer::from_files(files);
    for (const std::string_view text : kTexts) {
      allow_errors([&] {
        const Encoding encoding = tokenizer.encode(headlight::Input{std::string(text), std::string("b a")});
        for (const Span& offsets : encoding.offsets) {
          if (offsets.end < offsets.start) __builtin_trap();
        }
        tokenizer.decode(encoding.ids);
        tokenizer.encode(headlight::Input{std::string(text)}, {.max_length = 3, .stride = 0});
      });
    }
  });
}

}  // namespace headlight::fuzz
