// The run behind a task over many inputs (tasks/input_groups.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "headlight.h"
#include "tasks/encode.h"
#include "tasks/input_groups.h"

namespace headlight {

// A derived class makes a Result of what the forward pass gives; it may make encodings of an input in its own way, and say
// what of the forward pass it needs. Its constructor ends with start().
template <typename Result>
class GroupedTask : public Task<Result>, private InputGroups::Source {
 public:
  bool step(std::uint64_t work) final { return groups_.step(work); }
  std::uint64_t work_done() const final { return groups_.work_done(); }
  std::uint64_t work_total() const final { return groups_.work_total(); }

  std::vector<Result> result() override {
    this->finish();
    return std::move(results_);
  }

 protected:
  GroupedTask(const Model& model, std::span<const Input> inputs, const TextOptions& text,
              std::size_t passages_per_input = 1)
      : model_(model),
        text_(text),
        inputs_(inputs.begin(), inputs.end()),
        truncated_(inputs.size()),
        groups_(model, *this, work(passages_per_input)) {}

  // Opens the first group, so that what the model refuses is refused here.
  void start() {
    if (!inputs_.empty()) groups_.step(0);
  }

  const Model& model() const { return model_; }
  const TextOptions& text_options() const { return text_; }
  const std::vector<Input>& inputs() const { return inputs_; }
  // What was left out of an input; moved from where the result is made.
  std::vector<Cut>& truncated(std::size_t input) { return truncated_[input]; }

  // The input's passages as encode_to_fit() makes them; what it leaves out goes to truncated().
  std::vector<Encoding> fit(std::size_t input, Truncation truncation = Truncation::longest_first) {
    FittedEncoding fitted = fit_in_place_of(input, inputs_[input], truncation);
    truncated_[input] = std::move(fitted.truncated);
    return passages_of(std::move(fitted.encoding));
  }

  // The same of what a task made of the input.
  FittedEncoding fit_in_place_of(std::size_t input, const Input& made,
                                 Truncation truncation = Truncation::longest_first) const {
    return encode_to_fit(model_, made, name_of(input), text_, truncation);
  }

  std::string name_of(std::size_t input) const { return name_of_input(input, inputs_.size()); }

  std::vector<Encoding> encode(std::size_t input) override { return fit(input); }
  // What is needed of the forward pass.
  virtual ForwardOptions forward_options(std::size_t /*input*/) const { return {}; }
  bool may_share_group(std::size_t /*first*/, std::size_t /*other*/) const override { return true; }
  virtual Result make_result(std::size_t input, std::vector<ForwardResult> passages) = 0;

 private:
  ForwardOptions group_options(std::size_t first) const final {
    ForwardOptions options = forward_options(first);
    options.head_mask = text_.head_mask;
    return options;
  }

  void conclude(std::size_t input, std::vector<ForwardResult> passages) final {
    results_.push_back(make_result(input, std::move(passages)));
    inputs_[input] = {};
  }

  std::vector<std::uint64_t> work(std::size_t passages) const {
    std::vector<std::uint64_t> work;
    const std::size_t limit = passage_limit(model_.info(), text_);
    for (const Input& input : inputs_) {
      work.push_back(passages * input_work(model_.info(), input, limit, text_.overlong == Overlong::window));
    }
    return work;
  }

  const Model& model_;
  TextOptions text_;
  std::vector<Input> inputs_;
  std::vector<std::vector<Cut>> truncated_;  // by input
  std::vector<Result> results_;
  InputGroups groups_;
};

}  // namespace headlight
