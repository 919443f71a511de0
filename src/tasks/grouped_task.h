// The run behind a task over many inputs: the inputs go through the encoder in groups, so that memory stays
// bounded whatever their number, and short texts share a pass over the weights.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "headlight.h"

namespace headlight {

// Multiply-adds of the encoder for n tokens, to the leading terms: per layer four projections, the
// feed-forward and the two products of attention.
inline std::uint64_t encoder_work(const ModelInfo& info, std::uint64_t n) {
  const std::uint64_t hidden = info.hidden_size;
  return info.num_hidden_layers * n * hidden * (4 * hidden + 2 * info.intermediate_size + 2 * n) + 1;
}

// A derived class prepares encodings, calls start(), and makes a Result of each ForwardResult. Progress
// counts encoder_work() of the inputs; within a group it follows the forward pass.
template <typename Result>
class GroupedTask : public Task<Result> {
 public:
  bool step(std::uint64_t work) final {
    if (forward_) {
      if (forward_->step(work)) return true;
      finish_group();
    } else if (next_ < encodings_.size()) {
      begin_group();
    }
    return forward_ || next_ < encodings_.size();
  }

  std::uint64_t work_done() const final {
    if (!forward_ || forward_->work_total() == 0) return done_;
    const double share =
        static_cast<double>(forward_->work_done()) / static_cast<double>(forward_->work_total());
    return done_ +
           std::min(group_work_, static_cast<std::uint64_t>(share * static_cast<double>(group_work_)));
  }

  std::uint64_t work_total() const final { return total_; }

  std::vector<Result> result() final {
    this->finish();
    return std::move(results_);
  }

 protected:
  explicit GroupedTask(const Model& model) : model_(model) {}
  const Model& model() const { return model_; }

  // Opens the first group, so that what the model refuses is refused here.
  void start(std::vector<Encoding> encodings) {
    encodings_ = std::move(encodings);
    for (const Encoding& encoding : encodings_) total_ += encoder_work(model_.info(), encoding.size());
    if (!encodings_.empty()) begin_group();
  }

  virtual ForwardOptions forward_options(std::size_t input) const = 0;
  virtual bool may_share_group(std::size_t /*first*/, std::size_t /*other*/) const { return true; }
  virtual Result conclude(std::size_t input, ForwardResult forward) = 0;

 private:
  static constexpr std::size_t kGroupTokens = 512;  // unless one input alone is longer

  void begin_group() {
    first_ = next_;
    group_work_ = 0;
    std::size_t tokens = 0;
    do {
      tokens += encodings_[next_].size();
      group_work_ += encoder_work(model_.info(), encodings_[next_].size());
      ++next_;
    } while (next_ < encodings_.size() && tokens + encodings_[next_].size() <= kGroupTokens &&
             may_share_group(first_, next_));
    forward_ =
        model_.begin_forward(std::span(encodings_).subspan(first_, next_ - first_), forward_options(first_));
  }

  void finish_group() {
    std::vector<ForwardResult> forwards = forward_->result();
    forward_.reset();
    for (std::size_t i = 0; i < forwards.size(); ++i) {
      results_.push_back(conclude(first_ + i, std::move(forwards[i])));
      encodings_[first_ + i] = {};
    }
    done_ += group_work_;
  }

  const Model& model_;
  std::vector<Encoding> encodings_;
  std::vector<Result> results_;
  std::unique_ptr<Task<ForwardResult>> forward_;  // of the group first_ … next_ - 1; null between groups
  std::size_t first_ = 0;
  std::size_t next_ = 0;
  std::uint64_t group_work_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace headlight
