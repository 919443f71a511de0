#include "text/normalizers.h"

namespace headlight {

namespace {

bool is_dropped(char32_t c) {
  return (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F || c == 0x8F ||
         c == 0x9F;
}

bool becomes_space(char32_t c) {
  return c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 || (c >= 0x200B && c <= 0x200F) ||
         c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
}

class NmtNormalizer : public Normalizer {
 public:
  void normalize(AlignedText& text) const override {
    remove_if(text, is_dropped);
    for (char32_t& c : text.code_points) {
      if (becomes_space(c)) c = U' ';
    }
  }
};

}  // namespace

std::unique_ptr<Normalizer> make_nmt_normalizer() { return std::make_unique<NmtNormalizer>(); }

}  // namespace headlight
