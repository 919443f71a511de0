// Occlusion (Zeiler & Fergus 2014; for texts Li, Monroe & Jurafsky 2016, "Understanding Neural Networks through
// Representation Erasure"): how far the target's logit and probability fall when a token, or all tokens of a word, are
// masked or taken out,
//   score_i = logit(text) - logit(text without i)
// Words' tokens share their fall alike. Special tokens, and the token that the target is read from where it would be taken
// out or is a mask, stay and score 0. Computed by the ordinary forward pass.
#include <algorithm>

#include "explain/explain.h"
#include "explain/target.h"
#include "model/forward.h"
#include "model/kept_attention.h"
#include "throw_error.h"

namespace headlight::explain {
namespace {

constexpr std::size_t kGroupTokens = 512;  // that go through the encoder at once

class Occlusion final : public Task<Explanation> {
 public:
  Occlusion(const EncoderModel& model, const Encoding& encoding, const ExplainOptions& options)
      : model_(model), options_(options) {
    const TokenSequence sequence =
        read_sequence(model, encoding, 0, options.global_tokens, options.task_type_id);
    explanation_.method = options.method;
    explanation_.target = options.target;
    check_target(model, sequence.tokens, explanation_.target);
    if (options.remove && options.global_tokens) {
      throw_error(ErrorCode::E_INVALID_ARGUMENT, "Global tokens cannot be named where tokens are taken out");
    }
    for (const TokenInput& token : sequence.tokens) {
      whole_.ids.push_back(token.id);
      whole_.type_ids.push_back(token.type_id);
      whole_.attention_mask.push_back(1);
    }
    const auto keep_of_tokens = [&](const std::vector<std::int32_t>& from, std::vector<std::int32_t>& to) {
      for (std::size_t i = 0; i < encoding.size() && from.size() == encoding.size(); ++i) {
        if (encoding.attention_mask[i] != 0) to.push_back(from[i]);
      }
      to.resize(whole_.size(), 0);
    };
    keep_of_tokens(encoding.special_tokens_mask, whole_.special_tokens_mask);
    keep_of_tokens(encoding.word_ids, whole_.word_ids);
    keep_of_tokens(encoding.sequence_ids, whole_.sequence_ids);
    const Tokenizer& tokenizer = model.tokenizer;
    replacement_ = tokenizer.mask_id()  ? tokenizer.mask_id()
                   : tokenizer.unk_id() ? tokenizer.unk_id()
                                        : tokenizer.pad_id();
    if (!options.remove && !replacement_) {
      throw_error(ErrorCode::E_INVALID_ARGUMENT,
                  "The tokenizer has no mask, unknown or padding token to put in the place of others");
    }
    explanation_.scores = make_tensor({whole_.size()});
    explanation_.probability_scores = make_tensor({whole_.size()});
    begin_group();
    find_units();
    total_ = forward_->work_total() * (1 + units_.size());
  }

  bool step(std::uint64_t work) override {
    if (!forward_) return false;
    const std::uint64_t before = forward_->work_done();
    const bool more = forward_->step(work);
    done_ += forward_->work_done() - before;
    if (more) return true;
    read_group();
    if (next_unit_ < units_.size()) {
      begin_group();
      return true;
    }
    forward_.reset();
    done_ = total_;
    return false;
  }
  std::uint64_t work_done() const override { return std::min(done_, total_); }
  std::uint64_t work_total() const override { return total_; }

  std::vector<Explanation> result() override {
    finish();
    return only(std::move(explanation_));
  }

 private:
  bool is_of_mask() const { return model_.head->kind() == Head::Kind::masked_lm; }

  void find_units() {
    units_.clear();
    const bool keeps_row = is_of_token(*model_.head) && (options_.remove || is_of_mask());
    for (std::size_t i = 0; i < whole_.size(); ++i) {
      if (whole_.special_tokens_mask[i] != 0 || (keeps_row && explanation_.target.token == i)) continue;
      const bool continues = options_.words && !units_.empty() && units_.back().back() + 1 == i &&
                             whole_.word_ids[i] >= 0 && whole_.word_ids[i] == whole_.word_ids[i - 1] &&
                             whole_.sequence_ids[i] == whole_.sequence_ids[i - 1];
      if (!continues) units_.emplace_back();
      units_.back().push_back(i);
    }
  }

  // The whole text first, alone: its logits say what the target is.
  void begin_group() {
    std::vector<Encoding> group;
    if (!begun_) group.push_back(whole_);
    first_unit_ = next_unit_;
    const std::size_t most = begun_ ? std::max<std::size_t>(kGroupTokens / whole_.size(), 1) : 0;
    while (group.size() < most && next_unit_ < units_.size()) group.push_back(without(units_[next_unit_++]));
    // A head over a vocabulary is costly: only rows of mask tokens, of which the target is one.
    ForwardOptions options{.global_tokens = options_.global_tokens,
                           .task_type_id = options_.task_type_id,
                           .head_mask = options_.head_mask};
    if (is_of_mask()) options.logits_of_token = whole_.ids[*explanation_.target.token];
    forward_ = begin_forward(model_, group, options);
  }

  Encoding without(const std::vector<std::size_t>& unit) const {
    Encoding encoding = whole_;
    if (!options_.remove) {
      for (const std::size_t token : unit) encoding.ids[token] = *replacement_;
      return encoding;
    }
    for (auto* values : {&encoding.ids, &encoding.type_ids, &encoding.attention_mask}) {
      const auto first = values->begin() + static_cast<std::ptrdiff_t>(unit.front());
      values->erase(first, first + static_cast<std::ptrdiff_t>(unit.size()));
    }
    return encoding;
  }

  void read_group() {
    const std::vector<ForwardResult> results = forward_->result();
    if (!begun_) {
      begun_ = true;
      const std::vector<float> logits =
          logits_of(results.front(), whole_, explanation_.target.token.value_or(0));
      explanation_.target_logit = find_target(*model_.head, logits, explanation_.target);
      explanation_.probability = probability(model_, logits, explanation_.target_logit);
      explanation_.logits = Tensor{.data = logits, .shape = {logits.size()}};
      find_units();  // anew, with the target's token
      return;
    }
    const float logit = explanation_.logits->data[explanation_.target_logit];
    for (std::size_t u = 0; u < results.size(); ++u) {
      const std::vector<std::size_t>& unit = units_[first_unit_ + u];
      std::size_t row = explanation_.target.token.value_or(0);
      if (options_.remove && row > unit.front()) row -= unit.size();
      const std::vector<float> logits = logits_of(results[u], without(unit), row);
      const bool answers = model_.head->kind() == Head::Kind::question_answering;
      const std::size_t place = answers ? row : explanation_.target_logit;
      const auto share = static_cast<float>(unit.size());
      for (const std::size_t token : unit) {
        explanation_.scores.data[token] = (logit - logits[place]) / share;
        explanation_.probability_scores->data[token] =
            (explanation_.probability - probability(model_, logits, place)) / share;
      }
    }
  }

  // The logits that the target, read from row `row` of the encoding, competes with.
  std::vector<float> logits_of(const ForwardResult& result, const Encoding& encoding, std::size_t row) const {
    const Head& head = *model_.head;
    if (head.kind() == Head::Kind::question_answering) {
      return (explanation_.target.end ? result.end_logits : result.start_logits)->data;
    }
    if (!is_of_token(head)) return result.logits->data;
    if (is_of_mask()) {
      const auto own = encoding.ids.begin() + static_cast<std::ptrdiff_t>(row);
      row = static_cast<std::size_t>(std::count(encoding.ids.begin(), own, *own));
    }
    const auto of_row = std::span(result.logits->data).subspan(row * head.outputs(), head.outputs());
    return {of_row.begin(), of_row.end()};
  }

  const EncoderModel& model_;
  ExplainOptions options_;
  Encoding whole_;
  std::optional<std::int32_t> replacement_;
  std::vector<std::vector<std::size_t>> units_;  // tokens that go together
  std::size_t first_unit_ = 0, next_unit_ = 0;
  bool begun_ = false;
  std::unique_ptr<Task<ForwardResult>> forward_;
  std::uint64_t done_ = 0, total_ = 0;
  Explanation explanation_;
};

}  // namespace

std::unique_ptr<Task<Explanation>> make_occlusion(const EncoderModel& model, const Encoding& encoding,
                                                  const ExplainOptions& options) {
  return std::make_unique<Occlusion>(model, encoding, options);
}

}  // namespace headlight::explain
