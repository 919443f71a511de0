// The decoders of tokenizer.json that need no more than a few values.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "text/decoder.h"
#include "text/regex.h"

namespace headlight {

// "Sequence": each over the tokens that the one before has left.
std::unique_ptr<Decoder> make_sequence_decoder(std::vector<std::unique_ptr<Decoder>> decoders);

// "Replace": within each token, every match becomes the content.
std::unique_ptr<Decoder> make_replace_decoder(Regex pattern, std::string content);

// "Strip": of each token, up to `start` and `stop` characters `content` at its beginning and end are dropped.
std::unique_ptr<Decoder> make_strip_decoder(char32_t content, std::size_t start, std::size_t stop);

// "Fuse": all tokens become one.
std::unique_ptr<Decoder> make_fuse_decoder();

// "BPEDecoder": the mark of a word's end becomes a space, but not in the last token.
std::unique_ptr<Decoder> make_bpe_decoder(std::string suffix);

}  // namespace headlight
