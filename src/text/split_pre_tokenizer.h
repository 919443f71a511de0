// The pre-tokenizers of tokenizer.json that cut pieces at matches of something.
#pragma once

#include <memory>
#include <vector>

#include "text/pre_tokenizer.h"
#include "text/regex.h"

namespace headlight {

// What becomes of a match: Hugging Face's SplitDelimiterBehavior.
enum class SplitBehavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

// "Split". invert: what lies between the matches is taken for matches.
std::unique_ptr<PreTokenizer> make_split_pre_tokenizer(Regex pattern, SplitBehavior behavior, bool invert);

// "Punctuation": each mark, and all ASCII symbols.
std::unique_ptr<PreTokenizer> make_punctuation_pre_tokenizer(SplitBehavior behavior);

// "Digits": numbers of every kind, each apart or as runs.
std::unique_ptr<PreTokenizer> make_digits_pre_tokenizer(bool individual_digits);

// "CharDelimiterSplit": drops one character.
std::unique_ptr<PreTokenizer> make_char_delimiter_split(char32_t delimiter);

// "Whitespace": words (\w+) and runs of other characters, without whitespace.
std::unique_ptr<PreTokenizer> make_whitespace_pre_tokenizer();

// "WhitespaceSplit": what lies between whitespace.
std::unique_ptr<PreTokenizer> make_whitespace_split();

// "Sequence": each over the pieces that the one before has left.
std::unique_ptr<PreTokenizer> make_sequence_pre_tokenizer(
    std::vector<std::unique_ptr<PreTokenizer>> pre_tokenizers);

}  // namespace headlight
