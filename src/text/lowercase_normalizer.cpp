#include "text/normalizers.h"

namespace headlight {

namespace {

class LowercaseNormalizer : public Normalizer {
 public:
  void normalize(AlignedText& text) const override { lowercase(text); }
};

}  // namespace

std::unique_ptr<Normalizer> make_lowercase_normalizer() { return std::make_unique<LowercaseNormalizer>(); }

}  // namespace headlight
