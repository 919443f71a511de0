#pragma once

#include "text/decoder.h"

namespace headlight {

// Joins continuing pieces to what is before them and sets all else apart by spaces.
class WordPieceDecoder : public Decoder {
 public:
  // cleanup: no space before punctuation and English contractions.
  WordPieceDecoder(std::string prefix, bool cleanup) : prefix_(std::move(prefix)), cleanup_(cleanup) {}
  void decode(std::vector<std::string>& tokens) const override;

 private:
  std::string prefix_;
  bool cleanup_;
};

}  // namespace headlight
