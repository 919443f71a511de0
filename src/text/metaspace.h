#pragma once

#include "text/decoder.h"
#include "text/pre_tokenizer.h"

namespace headlight {

// SentencePiece's way with spaces: each becomes a mark, which begins a piece.
struct Metaspace {
  enum class Prepend { always, first, never };
  char32_t replacement = U'\u2581';
  Prepend prepend =
      Prepend::always;  // a mark before a piece that has none; first: only where the text begins
  bool split = true;    // pieces are cut before marks
};

class MetaspacePreTokenizer : public PreTokenizer {
 public:
  explicit MetaspacePreTokenizer(const Metaspace& options) : options_(options) {}
  void pre_tokenize(PreTokenizedText& text) const override;

 private:
  Metaspace options_;
};

// Turns marks back into spaces; those of the first token are dropped unless marks are never prepended.
class MetaspaceDecoder : public Decoder {
 public:
  explicit MetaspaceDecoder(const Metaspace& options) : options_(options) {}
  void decode(std::vector<std::string>& tokens) const override;

 private:
  Metaspace options_;
};

}  // namespace headlight
