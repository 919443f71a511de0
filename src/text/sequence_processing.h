#pragma once

#include <memory>
#include <vector>

#include "text/post_processor.h"

namespace headlight {

// Several post-processors in turn, of which at most one adds special tokens: how many do, `adding` says.
class SequenceProcessing : public PostProcessor {
 public:
  explicit SequenceProcessing(std::vector<std::unique_ptr<PostProcessor>> processors);
  static std::size_t adding(const std::vector<std::unique_ptr<PostProcessor>>& processors);

  const Template& layout(bool pair) const override;
  Span trimmed(std::string_view token, Span span, bool first) const override;

 private:
  std::vector<std::unique_ptr<PostProcessor>> processors_;  // not empty
  std::size_t layout_ = 0;                                  // whose layout counts
};

}  // namespace headlight
