// Integrated gradients (Sundararajan, Taly & Yan 2017, "Axiomatic Attribution for Deep Networks"):
//   a = (x - x') ∘ (1 / steps) sum_k d logit / d x at x' + alpha_k (x - x'),  alpha_k = (k + 1/2) / steps,
// x the embeddings' output and x' = 0, or x the word embeddings and x' the padding token's but at special tokens, which
// stay. The sum of all attributions comes near logit(x) - logit(x').
#include <algorithm>

#include "explain/explain.h"
#include "model/kept_attention.h"
#include "throw_error.h"

namespace headlight::explain {
namespace {

constexpr std::size_t kMostSteps = 1000;

class IntegratedGradients final : public PassTask {
 public:
  IntegratedGradients(const EncoderModel& model, const Encoding& encoding, const ExplainOptions& options)
      : PassTask(model, options), place_(options.baseline == Baseline::zero ? Place::output : Place::words) {
    if (options.steps < 1 || options.steps > kMostSteps) {
      throw_error(ErrorCode::E_INVALID_ARGUMENT,
                  {"The number of steps must be from 1 to ", kMostSteps, ", not ", options.steps});
    }
    for (std::size_t i = 0; i < std::min(encoding.size(), encoding.attention_mask.size()); ++i) {
      if (encoding.attention_mask[i] == 0) continue;
      special_.push_back(i < encoding.special_tokens_mask.size() && encoding.special_tokens_mask[i] != 0);
    }
  }

 private:
  std::uint64_t total_work() const override {
    return (2 + options().steps) * pass().forward_work() + options().steps * pass().backward_work();
  }

  bool next(std::uint64_t&) override {
    const std::size_t stage = stage_++;
    if (stage == 0) {
      pass().begin_forward(Place::words);
    } else if (stage == 1) {
      keep_logits();
      keep_ends();
      pass().begin_forward(place_, start_.data.data());
    } else if (stage % 2 == 1) {
      pass().begin_backward(place_);
    } else {
      const std::size_t step = stage / 2 - 1;
      if (step == 0) {
        explanation().completeness.emplace().baseline = static_cast<float>(pass().logit());
      } else {
        add_gradient();
      }
      if (step == options().steps) {
        finish_scores();
        return false;
      }
      begin_step(step);
    }
    return true;
  }

  // Where the line from the baseline begins, and its length.
  void keep_ends() {
    const Value x = pass().at(place_);
    const std::size_t size = x.count * x.columns;
    start_ = attributions_ = make_tensor({x.count, x.columns});
    line_ = point_ = start_;
    if (place_ == Place::words) {
      const auto padding = pass().model().tokenizer.pad_id();
      if (!padding)
        throw_error(ErrorCode::E_INVALID_ARGUMENT, "The tokenizer has no padding token to be the baseline");
      for (std::size_t i = 0; i < x.count; ++i) {
        float* row = start_.data.data() + i * x.columns;
        if (special_[i]) {
          std::copy_n(x.row(i), x.columns, row);
        } else {
          pass().model().embeddings->words().copy_row(static_cast<std::size_t>(*padding), row);
        }
      }
    }
    for (std::size_t i = 0; i < size; ++i) line_.data[i] = x.data[i] - start_.data[i];
  }

  void begin_step(std::size_t step) {
    const float alpha = (static_cast<float>(step) + 0.5f) / static_cast<float>(options().steps);
    for (std::size_t i = 0; i < point_.data.size(); ++i)
      point_.data[i] = start_.data[i] + alpha * line_.data[i];
    pass().begin_forward(place_, point_.data.data());
  }

  void add_gradient() {
    const float share = 1 / static_cast<float>(options().steps);
    const float* gradient = pass().gradient().data;
    for (std::size_t i = 0; i < line_.data.size(); ++i) {
      attributions_.data[i] += share * line_.data[i] * gradient[i];
    }
  }

  void finish_scores() {
    sum_rows(attributions_);
    Completeness& completeness = *explanation().completeness;
    for (const float score : explanation().scores.data) completeness.sum += score;
    const float logit = explanation().logits->data[explanation().target_logit];
    completeness.error = logit - completeness.baseline - completeness.sum;
    if (options().details) add_detail(attributions_.data.data(), attributions_.shape);
  }

  Place place_;
  std::vector<bool> special_;
  Tensor start_, line_, point_, attributions_;
  std::size_t stage_ = 0;
};

}  // namespace

std::unique_ptr<PassTask> make_integrated_gradients(const EncoderModel& model, const Encoding& encoding,
                                                    const ExplainOptions& options) {
  return std::make_unique<IntegratedGradients>(model, encoding, options);
}

}  // namespace headlight::explain
