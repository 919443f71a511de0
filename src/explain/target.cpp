#include "explain/target.h"

#include <algorithm>

#include "tasks/classify.h"
#include "tasks/scores.h"
#include "throw_error.h"

namespace headlight::explain {
namespace {

using Kind = Head::Kind;

void check_below(const char* what, std::size_t index, std::size_t count) {
  if (index < count) return;
  throw_error(ErrorCode::E_INVALID_ARGUMENT,
              {"There is no ", what, " ", index, " to be the target: there are ", count});
}

}  // namespace

bool is_of_token(const Head& head) { return head.reads() == Head::Reads::all_tokens; }

void check_target(const EncoderModel& model, std::span<const TokenInput> tokens, ExplainTarget& target) {
  if (!model.head) {
    throw_error(ErrorCode::E_TASK_MISMATCH,
                {"This way to explain needs a head; the model is a bare ", model.info.family, " encoder"});
  }
  const Head& head = *model.head;
  const bool answers = head.kind() == Kind::question_answering;
  if (target.end && !answers) {
    throw_error(ErrorCode::E_INVALID_ARGUMENT,
                "The end of an answer is a target for question answering only");
  }
  if (target.label && answers) {
    throw_error(ErrorCode::E_INVALID_ARGUMENT, "The target of question answering is a token, not a label");
  }
  if (target.label) check_below("label", *target.label, head.outputs());
  if (!is_of_token(head)) {
    if (!target.token) return;
    throw_error(ErrorCode::E_INVALID_ARGUMENT,
                "The model's head is over the whole text: its target has no token");
  }
  if (!target.token && head.kind() == Kind::masked_lm) {
    const auto mask = model.tokenizer.mask_id();
    const auto found =
        std::find_if(tokens.begin(), tokens.end(), [&](const TokenInput& token) { return token.id == mask; });
    if (mask && found != tokens.end()) target.token = static_cast<std::size_t>(found - tokens.begin());
  }
  if (target.token) return check_below("token", *target.token, tokens.size());
  if (answers) return;
  throw_error(
      ErrorCode::E_INVALID_ARGUMENT,
      "The model's head reads every token, and there is no mask token: the target's token must be said");
}

std::size_t find_target(const Head& head, std::span<const float> logits, ExplainTarget& target) {
  std::optional<std::size_t>& place = head.kind() == Kind::question_answering ? target.token : target.label;
  if (!place) {
    place = static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  }
  return *place;
}

ForwardOptions target_forward_options(const EncoderModel& model, std::span<const TokenInput> tokens,
                                      const ExplainTarget& target, const ExplainOptions& options) {
  ForwardOptions forward{.global_tokens = options.global_tokens,
                         .task_type_id = options.task_type_id,
                         .head_mask = options.head_mask};
  if (is_of_token(*model.head) && target.token) forward.logits_of_token = tokens[*target.token].id;
  return forward;
}

std::vector<float> target_logits(const Head& head, const ForwardResult& result,
                                 std::span<const TokenInput> tokens, const ExplainTarget& target) {
  if (head.kind() == Kind::question_answering)
    return (target.end ? result.end_logits : result.start_logits)->data;
  if (!is_of_token(head)) return result.logits->data;
  std::size_t row = 0;  // tokens of the same id before it
  for (std::size_t i = 0; i < *target.token; ++i) row += tokens[i].id == tokens[*target.token].id;
  const auto of_row = std::span(result.logits->data).subspan(row * head.outputs(), head.outputs());
  return {of_row.begin(), of_row.end()};
}

float probability(const EncoderModel& model, std::span<const float> logits, std::size_t place) {
  if (model.head->kind() == Kind::sequence_classification) {
    return static_cast<float>(scores_by_label(logits, model.info)[place]);
  }
  return static_cast<float>(logits.size() > 1 ? softmax(logits)[place] : sigmoid(logits)[place]);
}

}  // namespace headlight::explain
