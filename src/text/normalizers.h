// The normalizers of tokenizer.json that need no more than a few values; each in a file of its name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "text/normalizer.h"
#include "text/regex.h"

namespace headlight {

// "Sequence": each over what the one before has left.
std::unique_ptr<Normalizer> make_sequence_normalizer(std::vector<std::unique_ptr<Normalizer>> normalizers);

// "NFC", "NFD", "NFKC" and "NFKD".
std::unique_ptr<Normalizer> make_unicode_normalizer(NormalForm form);

// "Lowercase": of each code point on its own, U+0130 becomes two.
std::unique_ptr<Normalizer> make_lowercase_normalizer();

// "StripAccents": drops all marks, as it finds them; decomposing is another normalizer's work.
std::unique_ptr<Normalizer> make_strip_accents_normalizer();

// "Strip": drops whitespace at the beginning, at the end.
std::unique_ptr<Normalizer> make_strip_normalizer(bool left, bool right);

// "Replace": every match becomes the content, which stands for the match's last code point.
std::unique_ptr<Normalizer> make_replace_normalizer(Regex pattern, std::u32string content);

// "Prepend": puts a text before every text but an empty one.
std::unique_ptr<Normalizer> make_prepend_normalizer(std::u32string text);

// "Nmt": drops control characters and makes spaces of line breaks and a few more, as sentencepiece's nmt rules.
std::unique_ptr<Normalizer> make_nmt_normalizer();

// "ByteLevel": every byte of the UTF-8 becomes the visible character that stands for it.
std::unique_ptr<Normalizer> make_byte_level_normalizer();

}  // namespace headlight
