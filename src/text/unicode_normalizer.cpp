#include "text/normalizers.h"

namespace headlight {

namespace {

class UnicodeNormalizer : public Normalizer {
 public:
  explicit UnicodeNormalizer(NormalForm form) : form_(form) {}
  void normalize(AlignedText& text) const override { to_normal_form(text, form_); }

 private:
  NormalForm form_;
};

}  // namespace

std::unique_ptr<Normalizer> make_unicode_normalizer(NormalForm form) {
  return std::make_unique<UnicodeNormalizer>(form);
}

}  // namespace headlight
