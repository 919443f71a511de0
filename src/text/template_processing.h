#pragma once

#include "text/post_processor.h"

namespace headlight {

// Any order of texts and special tokens.
class TemplateProcessing : public PostProcessor {
 public:
  TemplateProcessing(Template single, Template pair) : single_(std::move(single)), pair_(std::move(pair)) {}
  const Template& layout(bool pair) const override { return pair ? pair_ : single_; }

 private:
  Template single_, pair_;
};

}  // namespace headlight
