#include "explain/explain.h"

#include <algorithm>
#include <cmath>

#include "explain/target.h"
#include "model/forward.h"
#include "model/kept_attention.h"
#include "throw_error.h"

namespace headlight::explain {
namespace {

struct Method {
  MakePassTask* make;
  bool targeted;
};

// By ExplainMethod.
constexpr Method kMethods[] = {
    {make_gradient_input, true},  {make_integrated_gradients, true},
    {make_relevance, true},       {make_rollout, false},
    {make_flow, false},           {make_norms, false},
    {make_head_importance, true}, {nullptr, true},
    {make_value_zeroing, false},
};

}  // namespace

PassTask::PassTask(const EncoderModel& model, const ExplainOptions& options)
    : model_(model), options_(options) {}

PassTask::~PassTask() = default;

void PassTask::start(const Encoding& encoding, bool targeted) {
  pass_.emplace(model_, encoding, options_, static_cast<LayerWatcher*>(this));
  explanation_.method = options_.method;
  explanation_.target = options_.target;
  targeted_ = targeted;
  if (targeted) {
    pass_->set_target(options_.target);
    if (model_.info.dtype == "int8") {
      forward_ = begin_forward(model_, {&encoding, 1},
                               target_forward_options(model_, pass_->tokens(), pass_->target(), options_));
    }
  } else if (options_.target.token.value_or(0) >= count()) {
    throw_error(ErrorCode::E_INVALID_ARGUMENT,
                {"There is no token ", *options_.target.token, " to be the target: there are ", count()});
  }
  total_ = total_work() + (forward_ ? forward_->work_total() : 0);
}

bool PassTask::step(std::uint64_t work) {
  std::uint64_t spent = 0;
  bool more = !finished_;
  while (more && (spent == 0 || spent < work)) {
    if (moving_) {
      moving_ = pass_->step(work, spent);
      continue;
    }
    if (!passed_) {
      const std::uint64_t before = spent;
      passed_ = !next(spent);
      moving_ = !passed_ && spent == before;  // what was spent was a piece of its own
    } else if (forward_) {
      const std::uint64_t done = forward_->work_done();
      more = forward_->step(work > spent ? work - spent : 0);
      spent += forward_->work_done() - done;
    } else {
      more = false;
    }
  }
  done_ += spent;
  if (!more && !finished_) conclude();
  return more;
}

void PassTask::keep_logits() {
  explanation_.target = pass_->target();
  const std::vector<float>& logits = pass_->logits();
  explanation_.logits = Tensor{.data = logits, .shape = {logits.size()}};
  explanation_.target_logit = pass_->target_logit();
  explanation_.probability = probability(model_, logits, pass_->target_logit());
}

void PassTask::conclude() {
  finished_ = true;
  done_ = total_;
  if (targeted_ && !explanation_.logits) keep_logits();
  if (!forward_) return;
  const std::vector<float> others =
      target_logits(*model_.head, forward_->result().front(), pass_->tokens(), pass_->target());
  float distance = 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    distance = std::max(distance, std::abs(explanation_.logits->data[i] - others[i]));
  }
  explanation_.forward_distance = distance;
}

std::vector<Explanation> PassTask::result() {
  finish();
  return only(std::move(explanation_));
}

void PassTask::add_detail(const float* values, std::vector<std::size_t> shape) {
  Tensor& tensor = explanation_.details.emplace_back(make_tensor(std::move(shape)));
  std::copy_n(values, tensor.data.size(), tensor.data.data());
}

void PassTask::sum_rows(const Tensor& x) {
  explanation_.scores = make_tensor({count()});
  const std::size_t columns = x.shape.back();
  for (std::size_t i = 0; i < x.data.size(); ++i) explanation_.scores.data[i / columns] += x.data[i];
}

std::vector<Explanation> only(Explanation&& explanation) {
  std::vector<Explanation> results(1);
  results.front() = std::move(explanation);
  return results;
}

std::unique_ptr<Task<Explanation>> begin_explain(const EncoderModel& model, const Encoding& encoding,
                                                 const ExplainOptions& options) {
  const Method& method = kMethods[static_cast<std::size_t>(options.method)];
  if (!method.make) return make_occlusion(model, encoding, options);
  std::unique_ptr<PassTask> task = method.make(model, encoding, options);
  task->start(encoding, method.targeted);
  return task;
}

}  // namespace headlight::explain
