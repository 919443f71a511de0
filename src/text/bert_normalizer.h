#pragma once

#include "text/normalizer.h"

namespace headlight {

struct BertNormalizerOptions {
  bool clean_text = true;            // drop control characters, turn whitespace into spaces
  bool handle_chinese_chars = true;  // set CJK ideographs apart by spaces
  bool strip_accents = true;         // NFD, then drop nonspacing marks
  bool lowercase = true;
};

class BertNormalizer : public Normalizer {
 public:
  explicit BertNormalizer(const BertNormalizerOptions& options) : options_(options) {}
  void normalize(AlignedText& text) const override;

 private:
  BertNormalizerOptions options_;
};

}  // namespace headlight
