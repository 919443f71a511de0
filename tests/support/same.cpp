#include "support/same.h"

#include <algorithm>

namespace headlight::test {

bool same(const std::optional<Tensor>& a, const std::optional<Tensor>& b) {
  return a.has_value() == b.has_value() && (!a || (a->shape == b->shape && a->data == b->data));
}

bool same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Tensor& x, const Tensor& y) { return same(x, y); });
}

bool same(const ForwardResult& a, const ForwardResult& b) {
  return same(a.logits, b.logits) && same(a.start_logits, b.start_logits) &&
         same(a.end_logits, b.end_logits) && same(a.last_hidden_state, b.last_hidden_state) &&
         same(a.pooler_output, b.pooler_output) && same(a.hidden_states, b.hidden_states) &&
         same(a.attentions, b.attentions) && same(a.queries, b.queries) && same(a.keys, b.keys) &&
         same(a.values, b.values);
}

bool same(const std::vector<ForwardResult>& a, const std::vector<ForwardResult>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ForwardResult& x, const ForwardResult& y) { return same(x, y); });
}

}  // namespace headlight::test
