#pragma once

#include "text/post_processor.h"

namespace headlight {

// [CLS] text [SEP], or [CLS] text [SEP] text_pair [SEP] with token type 1 from text_pair on.
class BertProcessing : public PostProcessor {
 public:
  BertProcessing(const SpecialToken& cls, const SpecialToken& sep);
  const Template& layout(bool pair) const override { return pair ? pair_ : single_; }

 private:
  Template single_, pair_;
};

}  // namespace headlight
