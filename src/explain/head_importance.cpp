// Head importance (Michel, Levy & Neubig 2019, "Are Sixteen Heads Really Better than One?"): what the target's logit loses,
// to the first order, without a head: the gradient of a mask on the head,
//   I_h = | sum A_h ∘ d logit / d A_h |
#include <algorithm>
#include <cmath>

#include "explain/explain.h"
#include "model/kept_attention.h"

namespace headlight::explain {
namespace {

class HeadImportance final : public PassTask {
 public:
  using PassTask::PassTask;

 private:
  bool watches_backward() const override { return true; }
  std::uint64_t total_work() const override { return pass().forward_work() + pass().backward_work(); }

  bool next(std::uint64_t&) override {
    if (stage_ == 0) {
      const EncoderModel& model = pass().model();
      explanation().scores = make_tensor({model.layers.size(), model.info.num_attention_heads});
      pass().begin_forward(Place::words);
    }
    if (stage_ == 1) pass().begin_backward(Place::output);
    return stage_++ < 2;
  }

  void end_backward(const Pass&, std::size_t layer, const KeptMatrices& kept) override {
    const std::size_t size = count() * count();
    Tensor& scores = explanation().scores;
    const std::vector<std::size_t> heads = pass().model().heads_of(layer);
    for (std::size_t h = 0; h < heads.size(); ++h) {
      double sum = 0;
      for (std::size_t i = h * size; i < (h + 1) * size; ++i) {
        sum += static_cast<double>(kept.probabilities[i]) * kept.gradients[i];
      }
      scores.data[layer * scores.shape[1] + heads[h]] = static_cast<float>(std::abs(sum));
    }
  }

  int stage_ = 0;
};

}  // namespace

std::unique_ptr<PassTask> make_head_importance(const EncoderModel& model, const Encoding&,
                                               const ExplainOptions& options) {
  return std::make_unique<HeadImportance>(model, options);
}

}  // namespace headlight::explain
