// What tasks share before the forward pass: text to tokens that fit the model.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headlight.h"

namespace headlight {

struct FittedEncoding {
  // With Overlong::window its `overflow` holds the windows after the first one, else nothing.
  Encoding encoding;
  std::vector<Cut> truncated;  // empty: all was read
};

// Tokens of one passage at most.
std::size_t passage_limit(const ModelInfo& info, const TextOptions& options);

// "input 3", or where there is one input "the input": for messages.
std::string name_of_input(std::size_t index, std::size_t count);

// Encodes an input for passages of passage_limit() tokens. Of a longer one, as options.overlong says: what
// `truncation` leaves of it; windows over text_pair, where there is one, or text; or nothing, E_TOO_LONG is thrown.
// Throws E_TOO_LONG, too, where text leaves no room for windows over text_pair. Messages call the input `name`.
FittedEncoding encode_to_fit(const Model& model, const Input& input, std::string_view name,
                             const TextOptions& options, Truncation truncation = Truncation::longest_first);

// The encoding and the windows of its `overflow`, in the order of the text.
std::vector<Encoding> passages_of(Encoding encoding);

// "BertForMaskedLM", or of a bare encoder "a bare bert encoder": for messages.
std::string describe(const ModelInfo& info);

// Whether info.tasks names the call.
bool fits(const ModelInfo& info, std::string_view task);

// Throws E_TASK_MISMATCH unless the call fits. needs: "a sequence classification head".
void require_task(const ModelInfo& info, std::string_view task, std::string_view needs);

// Throws E_INVALID_ARGUMENT for Overlong::window, which `task` does not know.
void refuse_windows(const TextOptions& options, std::string_view task);

}  // namespace headlight
