#include "model/sequence.h"

#include <algorithm>

#include "heap_sort.h"
#include "throw_error.h"

namespace headlight {

TokenSequence read_sequence(const EncoderModel& model, const Encoding& encoding, std::size_t index,
                            const std::optional<std::vector<std::size_t>>& global_tokens,
                            std::size_t task_type_id) {
  const auto fail = [&](ErrorCode code, const TextPiece& message) {
    throw_error(code, {"Input ", index, ": ", message});
  };
  if (task_type_id > 0 && task_type_id >= model.embeddings->num_task_types()) {
    fail(ErrorCode::E_INVALID_ARGUMENT,
         {"the task type ", task_type_id, " is not one of ", model.embeddings->num_task_types()});
  }
  const std::size_t padded = encoding.ids.size();
  if (padded != encoding.type_ids.size() || padded != encoding.attention_mask.size()) {
    fail(ErrorCode::E_INVALID_ARGUMENT, "token ids, token types and the attention mask differ in length");
  }
  for (const std::int32_t id : encoding.ids) {
    if (id < 0 || static_cast<std::size_t>(id) >= model.info.vocab_size) {
      fail(ErrorCode::E_INVALID_ARGUMENT,
           {"the token id ", id, " is outside the vocabulary of ", model.info.vocab_size});
    }
  }
  const std::vector<std::size_t> positions = model.embeddings->positions(encoding.ids);
  TokenSequence sequence{.tokens = {}, .padded = padded, .offset = padded, .global_tokens = {}};
  for (std::size_t i = 0; i < padded; ++i) {
    if (encoding.attention_mask[i] == 0) continue;
    sequence.offset = std::min(sequence.offset, i);
    const TokenInput token{.id = encoding.ids[i],
                           .type_id = model.type_vocab_size > 0 ? encoding.type_ids[i] : 0,
                           .previous_id = i > 0 ? encoding.ids[i - 1] : -1,
                           .next_id = i + 1 < padded ? encoding.ids[i + 1] : -1,
                           .position = positions[i]};
    if (token.type_id < 0 ||
        (model.type_vocab_size > 0 && static_cast<std::size_t>(token.type_id) >= model.type_vocab_size)) {
      fail(ErrorCode::E_INVALID_ARGUMENT,
           {"the token type ", token.type_id, " is not one of ", model.type_vocab_size});
    }
    if (token.position >= model.max_positions) {
      fail(ErrorCode::E_TOO_LONG, {padded, " tokens, the model takes ", model.info.max_length});
    }
    sequence.tokens.push_back(token);
  }
  const std::size_t count = sequence.tokens.size();
  if (count == 0) fail(ErrorCode::E_INVALID_ARGUMENT, "there is no token");
  auto& chosen = sequence.global_tokens;
  if (global_tokens) {
    chosen = *global_tokens;
    heap_sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    if (!chosen.empty() && chosen.back() >= count) {
      fail(ErrorCode::E_INVALID_ARGUMENT,
           {"there is no token ", chosen.back(), " to be a global one among ", count});
    }
  } else if (model.global_tokens) {
    chosen = model.global_tokens->choose(sequence.tokens);
  }
  return sequence;
}

}  // namespace headlight
