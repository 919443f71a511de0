// What a model looks at: attention over the tokens or words of a text or a pair.
#pragma once

#include <memory>
#include <span>

#include "headlight.h"

namespace headlight {

// As Model::begin_attention. Applies, in this order: the choice of layers and heads; special tokens dropped,
// pieces merged into words; reduce_layers; reduce_heads; scale.
//
// Axes of the result, in this order, where they are left:
//   layer  unless reduced or exactly one layer was named
//   head   unless reduced or exactly one head was named
//   query  with AttentionQuery::all only; the same entries as the keys
//   key    always
// Throws E_INVALID_ARGUMENT for a query index past the end, a layer or head the model does not have, and for
// minmax_heads over heads that were reduced; E_TOO_LONG as options.overlong says.
std::unique_ptr<Task<AttentionResult>> begin_attention(const Model& model, std::span<const Input> inputs,
                                                       const AttentionOptions& options);

// All tokens of an encoding, and the words and special tokens that they make, as AttentionResult has them.
std::vector<AttendedToken> attended_tokens(const Encoding& encoding);
std::vector<AttendedToken> attended_words(const Encoding& encoding, const Input& input);

}  // namespace headlight
