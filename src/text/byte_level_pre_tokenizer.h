#pragma once

#include "text/code_point_set.h"
#include "text/pre_tokenizer.h"

namespace headlight {

// Cuts text into words, numbers, other signs and whitespace, a space going with what follows it, and spells each
// byte as a letter of GPT-2's alphabet (Radford et al. 2019, section 2.2).
class ByteLevelPreTokenizer : public PreTokenizer {
 public:
  struct Options {
    bool add_prefix_space = true;  // a piece begins with a space
    bool use_regex = true;         // false: pieces are spelt anew, but not cut
  };
  explicit ByteLevelPreTokenizer(const Options& options);
  void pre_tokenize(PreTokenizedText& text) const override;

 private:
  enum class Kind { letter, number, space, other };
  Kind kind_of(char32_t c) const;
  std::size_t next_word(std::u32string_view text) const;

  Options options_;
  CodePointSet letters_, numbers_;
};

}  // namespace headlight
