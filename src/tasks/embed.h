// Embeddings: one vector for a text, pooled from its tokens' hidden states.
#pragma once

#include <memory>
#include <span>

#include "headlight.h"

namespace headlight {

// As Model::begin_embed. Where options.pooling is not given the vectors are those that the model's folder of
// sentence-transformers means, pooled over all tokens, special ones included. Throws E_UNSUPPORTED_OPTION where that
// folder has a module that is not computed; E_INVALID_ARGUMENT for a hidden state or a prompt that is not there;
// E_TOO_LONG as options.text says.
std::unique_ptr<Task<Embedding>> begin_embed(const Model& model, std::span<const Input> inputs,
                                             const EmbedOptions& options);

}  // namespace headlight
