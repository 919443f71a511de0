#include "text/bert_processing.h"

namespace headlight {

BertProcessing::BertProcessing(const SpecialToken& cls, const SpecialToken& sep) {
  using Kind = TemplatePart::Kind;
  single_ = {special_part(cls, 0), {Kind::text, 0, {}, {}}, special_part(sep, 0)};
  pair_ = single_;
  pair_.push_back({Kind::text_pair, 1, {}, {}});
  pair_.push_back(special_part(sep, 1));
}

}  // namespace headlight
