#pragma once

#include "text/bert_processing.h"

namespace headlight {

// <s> text </s>, or <s> text </s></s> text_pair </s>, all of token type 0.
class RobertaProcessing : public PostProcessor {
 public:
  struct Options {
    bool trim_offsets = true;      // spans lack the whitespace that tokens begin and end with
    bool add_prefix_space = true;  // a text's first space may not have been in the text
  };
  RobertaProcessing(const SpecialToken& cls, const SpecialToken& sep, const Options& options);
  const Template& layout(bool pair) const override { return pair ? pair_ : single_; }
  Span trimmed(std::string_view token, Span span, bool first) const override;

 private:
  Options options_;
  Template single_, pair_;
};

}  // namespace headlight
