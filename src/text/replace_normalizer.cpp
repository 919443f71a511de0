#include "text/normalizers.h"

namespace headlight {

namespace {

class ReplaceNormalizer : public Normalizer {
 public:
  ReplaceNormalizer(Regex pattern, std::u32string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}

  void normalize(AlignedText& text) const override {
    if (text.size() == 0) return;  // not even an empty match is found there
    const std::vector<Regex::Match> matches = pattern_.find_all(text.code_points);
    if (matches.empty()) return;
    Rewriter rewriter(text);
    std::size_t at = 0;
    for (const auto& [begin, end] : matches) {
      for (; at < begin; ++at) rewriter.replace(text.code_points[at]);
      for (; at < end; ++at) rewriter.remove();
      for (const char32_t c : content_) rewriter.insert(c);
    }
    for (; at < text.size(); ++at) rewriter.replace(text.code_points[at]);
  }

 private:
  Regex pattern_;
  std::u32string content_;
};

}  // namespace

std::unique_ptr<Normalizer> make_replace_normalizer(Regex pattern, std::u32string content) {
  return std::make_unique<ReplaceNormalizer>(std::move(pattern), std::move(content));
}

}  // namespace headlight
