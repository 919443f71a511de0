#include "text/normalizers.h"

namespace headlight {

namespace {

class SequenceNormalizer : public Normalizer {
 public:
  explicit SequenceNormalizer(std::vector<std::unique_ptr<Normalizer>> normalizers)
      : normalizers_(std::move(normalizers)) {}
  void normalize(AlignedText& text) const override {
    for (const auto& normalizer : normalizers_) normalizer->normalize(text);
  }

 private:
  std::vector<std::unique_ptr<Normalizer>> normalizers_;
};

}  // namespace

std::unique_ptr<Normalizer> make_sequence_normalizer(std::vector<std::unique_ptr<Normalizer>> normalizers) {
  return std::make_unique<SequenceNormalizer>(std::move(normalizers));
}

}  // namespace headlight
