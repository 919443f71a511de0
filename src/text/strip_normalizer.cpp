#include <algorithm>

#include "text/normalizers.h"
#include "text/unicode.h"

namespace headlight {

namespace {

class StripNormalizer : public Normalizer {
 public:
  StripNormalizer(bool left, bool right) : left_(left), right_(right) {}

  void normalize(AlignedText& text) const override {
    const auto is_space = [&text](std::size_t i) {
      return unicode::has(text.code_points[i], unicode::whitespace);
    };
    std::size_t begin = 0, end = text.size();
    while (left_ && begin < end && is_space(begin)) ++begin;
    while (right_ && begin < end && is_space(end - 1)) --end;
    if (end - begin < text.size()) text = text.slice(begin, end);
  }

 private:
  bool left_, right_;
};

}  // namespace

std::unique_ptr<Normalizer> make_strip_normalizer(bool left, bool right) {
  return std::make_unique<StripNormalizer>(left, right);
}

}  // namespace headlight
