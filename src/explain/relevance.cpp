// Relevance by attention and its gradient (Chefer, Gur & Wolf 2021, "Generic Attention-model Explainability"):
//   R = I; layer by layer R = R + C R,  C = mean_h max(A ∘ dA, 0),
// A the attention, dA the gradient of the target's logit by it. The score is the row of R for the token that the logit is
// read from, or the mean of all rows where it is read from the mean of all tokens. Computed from the last layer to the
// first, as rows of the product of all I + C.
#include <algorithm>

#include "explain/explain.h"
#include "explain/matrices.h"
#include "explain/target.h"
#include "model/kept_attention.h"

namespace headlight::explain {
namespace {

class Relevance final : public PassTask {
 public:
  using PassTask::PassTask;

 private:
  bool watches_backward() const override { return true; }
  std::uint64_t total_work() const override { return pass().forward_work() + pass().backward_work(); }

  bool next(std::uint64_t&) override {
    if (stage_ == 0) pass().begin_forward(Place::words);
    if (stage_ == 1) {
      begin_rows();
      pass().begin_backward(Place::output);
    }
    if (stage_ == 2) read_rows();
    return stage_++ < 2;
  }

  bool is_of_mean() const { return pass().model().head->reads() == Head::Reads::mean_token; }
  std::size_t row() const { return pass().target().token.value_or(0); }

  void begin_rows() {
    const std::size_t n = count(), rows = options().details ? n : 1;
    rows_ = make_tensor({rows, n});
    for (std::size_t i = 0; i < rows * n; ++i) {
      const bool one = rows == n ? i % (n + 1) == 0 : i == row();
      rows_.data[i] = rows == 1 && is_of_mean() ? 1 / static_cast<float>(n) : one ? 1.0f : 0.0f;
    }
  }

  void end_backward(const Pass&, std::size_t layer, const KeptMatrices& kept) override {
    const std::size_t n = count(), size = pass().heads(layer) * n * n;
    for (std::size_t i = 0; i < size; ++i) {
      kept.gradients[i] = std::max(kept.gradients[i] * kept.probabilities[i], 0.0f);
    }
    Buffer mean(n * n);
    std::fill_n(mean.data(), n * n, 0.0f);
    add_mean(kept.gradients, pass().heads(layer), n, 1, mean.data());
    Tensor rows = make_tensor(rows_.shape);
    multiply(kernels(), n, rows_.data.data(), rows_.shape[0], mean.data(), rows_.data.data(),
             rows.data.data());
    rows_ = std::move(rows);
  }

  void read_rows() {
    const std::size_t n = count();
    explanation().scores = make_tensor({n});
    float* scores = explanation().scores.data.data();
    if (options().details && is_of_mean()) {
      mean_row({rows_.data.data(), n, n}, n, scores);
    } else {
      std::copy_n(rows_.data.data() + (options().details ? row() * n : 0), n, scores);
    }
    if (options().details) add_detail(rows_.data.data(), rows_.shape);
  }

  Tensor rows_;
  int stage_ = 0;
};

}  // namespace

std::unique_ptr<PassTask> make_relevance(const EncoderModel& model, const Encoding&,
                                         const ExplainOptions& options) {
  return std::make_unique<Relevance>(model, options);
}

}  // namespace headlight::explain
