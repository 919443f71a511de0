// Extractive question answering: where in a context the answer stands.
#pragma once

#include <memory>
#include <span>

#include "headlight.h"

namespace headlight {

// As Model::begin_answer: text is the question, text_pair the context. As Hugging Face's pipeline (4.57): in each
// window the start and the end logits of the context and the class token alone go through a softmax; a span's score is
// the product of both at its ends; spans of the same text (in lower case) add up, over windows too; the score of the
// empty answer is the least of the windows' products at the class token.
// Throws E_TASK_MISMATCH where the model does not answer, E_INVALID_ARGUMENT for an input without a context, E_TOO_LONG
// as options.text says or where the question leaves no room for the context.
std::unique_ptr<Task<Answers>> begin_answer(const Model& model, std::span<const Input> inputs,
                                            const AnswerOptions& options);

}  // namespace headlight
