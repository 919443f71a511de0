// Attention rollout (Abnar & Zuidema 2020, "Quantifying Attention Flow in Transformers"):
//   R = M_L … M_1,  M_l = 0.5 mean_h A_l + 0.5 I
// The score is the row of the target's token.
#include "explain/explain.h"
#include "explain/matrices.h"
#include "model/kept_attention.h"

namespace headlight::explain {
namespace {

class Rollout final : public PassTask {
 public:
  using PassTask::PassTask;

 private:
  bool watches_forward() const override { return true; }
  std::uint64_t total_work() const override { return pass().forward_work(); }

  bool next(std::uint64_t&) override {
    if (stage_++ == 0) {
      pass().begin_forward(Place::words);
      return true;
    }
    if (explanation().scores.data.empty()) {
      explanation().scores = row_of_matrix(rolled_, options().target.token.value_or(0));
      if (options().details) add_detail(rolled_.data.data(), rolled_.shape);
    }
    return false;
  }

  void end_forward(const Pass&, std::size_t layer) override {
    roll(kernels(), handed_on(pass(), layer), count(), rolled_);
  }

  Tensor rolled_;
  int stage_ = 0;
};

}  // namespace

std::unique_ptr<PassTask> make_rollout(const EncoderModel& model, const Encoding&,
                                       const ExplainOptions& options) {
  return std::make_unique<Rollout>(model, options);
}

}  // namespace headlight::explain
