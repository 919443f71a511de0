#pragma once

#include "text/post_processor.h"

namespace headlight {

// Narrows a token's span by the whitespace it begins and ends with. add_prefix_space: where the text begins, a
// single space is the one that was added, which is not in the text.
Span without_spaces(std::string_view token, Span span, bool first, bool add_prefix_space);

// Adds no tokens; trims spans.
class ByteLevelProcessing : public PostProcessor {
 public:
  struct Options {
    bool add_prefix_space = true;
    bool trim_offsets = true;
  };
  explicit ByteLevelProcessing(const Options& options);
  const Template& layout(bool pair) const override { return pair ? pair_ : single_; }
  Span trimmed(std::string_view token, Span span, bool first) const override;

 private:
  Options options_;
  Template single_, pair_;
};

}  // namespace headlight
