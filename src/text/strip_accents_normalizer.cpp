#include "text/normalizers.h"
#include "text/unicode_traits.h"

namespace headlight {

namespace {

class StripAccentsNormalizer : public Normalizer {
 public:
  void normalize(AlignedText& text) const override {
    remove_if(text, [this](char32_t c) { return marks_.contains(c); });
  }

 private:
  CodePointSet marks_ = unicode::code_points_with(unicode::Trait::combining_mark);
};

}  // namespace

std::unique_ptr<Normalizer> make_strip_accents_normalizer() {
  return std::make_unique<StripAccentsNormalizer>();
}

}  // namespace headlight
