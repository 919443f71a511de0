#include "text/normalizers.h"

namespace headlight {

namespace {

class PrependNormalizer : public Normalizer {
 public:
  explicit PrependNormalizer(std::u32string prefix) : prefix_(std::move(prefix)) {}

  // What is put first stands for the first code point of the text.
  void normalize(AlignedText& text) const override {
    if (text.size() == 0) return;
    text.spans.insert(text.spans.begin(), prefix_.size(), Span(text.spans[0]));
    text.code_points.insert(0, prefix_);
  }

 private:
  std::u32string prefix_;
};

}  // namespace

std::unique_ptr<Normalizer> make_prepend_normalizer(std::u32string text) {
  return std::make_unique<PrependNormalizer>(std::move(text));
}

}  // namespace headlight
