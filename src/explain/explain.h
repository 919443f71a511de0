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
  PassTask(const EncoderModel& model, Encoding encoding, const ExplainOptions& options)
      : model_(model), encoding_(std::move(encoding)), options_(options) {}
  // Follows the constructor. targeted: whether there is a logit to be explained.
  void start(bool targeted);

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
  // The scores [n] that the rows of x sum up to, one by one; x [n, columns].
  void sum_rows(const Tensor& x);

 private:
  void conclude();

  const EncoderModel& model_;
  Encoding encoding_;
  ExplainOptions options_;
  std::optional<Pass> pass_;
  Explanation explanation_;
  std::unique_ptr<Task<ForwardResult>> forward_;  // the ordinary pass, to be compared with
  bool targeted_ = false, moving_ = false, finished_ = false;
  std::uint64_t done_ = 0, total_ = 0;
};

std::unique_ptr<PassTask> make_gradient_input(const EncoderModel& model, const Encoding& encoding,
                                              const ExplainOptions& options);
std::unique_ptr<PassTask> make_integrated_gradients(const EncoderModel& model, const Encoding& encoding,
                                                    const ExplainOptions& options);
std::unique_ptr<PassTask> make_relevance(const EncoderModel& model, const Encoding& encoding,
                                         const ExplainOptions& options);
std::unique_ptr<PassTask> make_rollout(const EncoderModel& model, const Encoding& encoding,
                                       const ExplainOptions& options);
std::unique_ptr<PassTask> make_flow(const EncoderModel& model, const Encoding& encoding,
                                    const ExplainOptions& options);
std::unique_ptr<PassTask> make_norms(const EncoderModel& model, const Encoding& encoding,
                                     const ExplainOptions& options);
std::unique_ptr<PassTask> make_head_importance(const EncoderModel& model, const Encoding& encoding,
                                               const ExplainOptions& options);
std::unique_ptr<PassTask> make_value_zeroing(const EncoderModel& model, const Encoding& encoding,
                                             const ExplainOptions& options);
std::unique_ptr<Task<Explanation>> make_occlusion(const EncoderModel& model, const Encoding& encoding,
                                                  const ExplainOptions& options);

}  // namespace headlight::explain
