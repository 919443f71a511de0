#include "text/roberta_processing.h"

#include "text/byte_level_processing.h"

namespace headlight {

RobertaProcessing::RobertaProcessing(const SpecialToken& cls, const SpecialToken& sep, const Options& options)
    : options_(options) {
  using Kind = TemplatePart::Kind;
  single_ = {special_part(cls, 0), {Kind::text, 0, {}, {}}, special_part(sep, 0)};
  pair_ = single_;
  pair_.push_back(special_part(sep, 0));
  pair_.push_back({Kind::text_pair, 0, {}, {}});
  pair_.push_back(special_part(sep, 0));
}

Span RobertaProcessing::trimmed(std::string_view token, Span span, bool first) const {
  return options_.trim_offsets ? without_spaces(token, span, first, options_.add_prefix_space) : span;
}

}  // namespace headlight
