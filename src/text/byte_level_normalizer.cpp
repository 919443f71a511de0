#include "text/byte_alphabet.h"
#include "text/normalizers.h"
#include "text/utf8.h"

namespace headlight {

namespace {

class ByteLevelNormalizer : public Normalizer {
 public:
  void normalize(AlignedText& text) const override {
    AlignedText result;
    result.origin = text.origin;
    for (std::size_t i = 0; i < text.size(); ++i) {
      for (const char byte : encode_utf8({&text.code_points[i], 1})) {
        result.append(letter_of_byte(static_cast<std::uint8_t>(byte)), text.spans[i]);
      }
    }
    text = std::move(result);
  }
};

}  // namespace

std::unique_ptr<Normalizer> make_byte_level_normalizer() { return std::make_unique<ByteLevelNormalizer>(); }

}  // namespace headlight
