// Whether results are the same to the bit.
#pragma once

#include <vector>

#include "headlight.h"

namespace headlight::test {

// Of all that a ForwardResult can hold, but for the compact attentions.
bool same(const ForwardResult& a, const ForwardResult& b);
bool same(const std::vector<ForwardResult>& a, const std::vector<ForwardResult>& b);
bool same(const std::vector<Tensor>& a, const std::vector<Tensor>& b);
bool same(const std::optional<Tensor>& a, const std::optional<Tensor>& b);

}  // namespace headlight::test
