// Gradient times input (Shrikumar et al. 2017, "Not Just a Black Box"; for texts Li et al. 2016):
//   score_i = sum_c x_ic d logit / d x_ic,  x the embeddings' output
#include "explain/explain.h"
#include "model/kept_attention.h"

namespace headlight::explain {
namespace {

class GradientInput final : public PassTask {
 public:
  using PassTask::PassTask;

 private:
  bool watches_backward() const override { return options().attention_gradients; }
  std::uint64_t total_work() const override { return pass().forward_work() + pass().backward_work(); }

  bool next(std::uint64_t&) override {
    if (stage_ == 0) pass().begin_forward(Place::words);
    if (stage_ == 1) pass().begin_backward(Place::output);
    if (stage_ == 2) read_gradient();
    return stage_++ < 2;
  }

  void end_backward(const Pass&, std::size_t layer, const KeptMatrices& kept) override {
    std::vector<Tensor>& all = explanation().attention_gradients;
    if (all.size() <= layer) all.resize(layer + 1);
    const std::size_t heads = pass().heads(layer), n = count();
    all[layer] = {.data = {kept.gradients, kept.gradients + heads * n * n}, .shape = {heads, n, n}};
  }

  void read_gradient() {
    const Value x = pass().at(Place::output), gradient = pass().gradient();
    const std::size_t size = x.count * x.columns;
    Tensor products = make_tensor({x.count, x.columns});
    for (std::size_t i = 0; i < size; ++i) products.data[i] = x.data[i] * gradient.data[i];
    sum_rows(products);
    if (!options().details) return;
    add_detail(gradient.data, products.shape);
  }

  int stage_ = 0;
};

}  // namespace

std::unique_ptr<PassTask> make_gradient_input(const EncoderModel& model, const Encoding&,
                                              const ExplainOptions& options) {
  return std::make_unique<GradientInput>(model, options);
}

}  // namespace headlight::explain
