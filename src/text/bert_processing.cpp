#include "text/bert_processing.h"

namespace headlight {

BertProcessing::BertProcessing(const SpecialToken& cls, const SpecialToken& sep) {
  using Kind = TemplatePart::Kind;
  const auto special = [](const SpecialToken& token, std::int32_t type_id) {
    return TemplatePart{Kind::special, type_id, {token.id}, {token.token}};
  };
  single_ = {special(cls, 0), {Kind::text, 0, {}, {}}, special(sep, 0)};
  pair_ = single_;
  pair_.push_back({Kind::text_pair, 1, {}, {}});
  pair_.push_back(special(sep, 1));
}

}  // namespace headlight
