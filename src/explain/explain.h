// Explanations: what the methods have in common, and the choice among them. A method is one file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "explain/pass.h"
#include "headlight.h"

namespace headlight::explain {

// As Model::begin_explain. The model must live longer than the task.
std::unique_ptr<Task<Explanation>> begin_explain(const EncoderModel& model, const Encoding& encoding,
                                                 const ExplainOptions& options);

// A method over passes of the encoder. A derived class says in next() what follows when the pass stands still.
class PassTask : public Task<Explanation>, protected LayerWatcher {
 public:
  PassTask(const EncoderModel& model, const ExplainOptions& options);
  ~PassTask() override;
  // Follows the constructor. targeted: whether there is a logit to be explained.
  void start(const Encoding& encoding, bool targeted);

  bool step(std::uint64_t work) final;
  std::uint64_t work_done() const final { return std::min(done_, total_); }
  std::uint64_t work_total() const final { return total_; }
  std::vector<Explanation> result() final;

 protected:
  // Multiply-adds of all that next() will begin.
  virtual std::uint64_t total_work() const = 0;
  // Begins a pass, or does a piece of work and says how much; false: there is nothing more to do.
  virtual bool next(std::uint64_t& spent) = 0;

  const ExplainOptions& options() const { return options_; }
  Pass& pass() { return *pass_; }
  const Pass& pass() const { return *pass_; }
  std::size_t count() const { return pass_->count(); }
  const Table& kernels() const { return *model_.kernels; }
  Explanation& explanation() { return explanation_; }
  // Of the pass forward that was the last: the logits to be told.
  void keep_logits();
  // Adds to the details.
  void add_detail(const float* values, std::vector<std::size_t> shape);
  // The scores [n] that the rows of x sum up to, one by one; x [n, columns].
  void sum_rows(const Tensor& x);

 private:
  void conclude();

  const EncoderModel& model_;
  ExplainOptions options_;
  std::optional<Pass> pass_;
  Explanation explanation_;
  std::unique_ptr<Task<ForwardResult>> forward_;  // the ordinary pass, to be compared with
  bool targeted_ = false;
  bool moving_ = false;  // the pass is under way
  bool passed_ = false;  // next() has nothing more to do
  bool finished_ = false;
  std::uint64_t done_ = 0, total_ = 0;
};

// The methods. What is wrong with the options for them is thrown by their constructors or by start().
using MakePassTask = std::unique_ptr<PassTask>(const EncoderModel& model, const Encoding& encoding,
                                               const ExplainOptions& options);
MakePassTask make_gradient_input, make_integrated_gradients, make_relevance, make_rollout, make_flow,
    make_norms, make_head_importance, make_value_zeroing;
std::unique_ptr<Task<Explanation>> make_occlusion(const EncoderModel& model, const Encoding& encoding,
                                                  const ExplainOptions& options);

// The one result of a run.
std::vector<Explanation> only(Explanation&& explanation);

}  // namespace headlight::explain
