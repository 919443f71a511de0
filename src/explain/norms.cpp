// Norms of what attention adds up (Kobayashi et al. 2020, "Attention is Not Only a Weight"), for each layer and head:
//   || A_ij f(x_j) || = A_ij || f(x_j) ||,  f(x) = (x W_V + b_V) W_O  by the head's rows of W_O
// The score is the mean over all layers and heads of the row of the target's token.
#include <algorithm>
#include <cmath>

#include "explain/explain.h"
#include "model/kept_attention.h"

namespace headlight::explain {
namespace {

class Norms final : public PassTask {
 public:
  Norms(const EncoderModel& model, const ExplainOptions& options)
      : PassTask(model, options), scratch_(model.pool->size()) {}

 private:
  bool watches_forward() const override { return true; }
  std::size_t pieces(const Pass& pass, std::size_t layer) override { return pass.heads(layer); }
  std::uint64_t piece_work(const Pass& pass, std::size_t layer) const override {
    const Layer& of = *pass.model().layers[layer];
    return pass.count() * of.attention_output().out_features() * of.attention().head_size();
  }
  std::uint64_t total_work() const override { return pass().forward_work(); }

  bool next(std::uint64_t&) override {
    if (stage_++ > 0) return false;
    explanation().scores = make_tensor({count()});
    pass().begin_forward(Place::words);
    return true;
  }

  // [n]: || f(x_j) || of one head's values.
  std::vector<float> value_norms(const Pass& pass, std::size_t layer, std::size_t head, const Value& values,
                                 std::size_t thread) {
    const Layer& of = *pass.model().layers[layer];
    const std::size_t n = values.count, head_size = of.attention().head_size();
    const std::size_t columns = of.attention_output().out_features();
    OperatorScratch& scratch = scratch_[thread];
    Immediate ops(kernels(), scratch);
    const Value f = ops.rows(n, columns);
    of.attention_output().forward_part(kernels(), {values.data + head * head_size, values.stride, n},
                                       head * head_size, head_size, f.places(), scratch.panel);
    std::vector<float> norms(n);
    for (std::size_t j = 0; j < n; ++j) {
      double squares = 0;
      for (std::size_t c = 0; c < columns; ++c) squares += static_cast<double>(f.row(j)[c]) * f.row(j)[c];
      norms[j] = static_cast<float>(std::sqrt(squares));
    }
    return norms;
  }

  // A head's matrix, in the place of its probabilities.
  void piece(const Pass& pass, std::size_t layer, std::size_t head, std::size_t thread) override {
    const std::size_t n = pass.count();
    const std::vector<float> norms = value_norms(pass, layer, head, pass.projected().values, thread);
    const bool globally = pass.projected_globally().values.data;
    const std::vector<float> global_norms =
        globally ? value_norms(pass, layer, head, pass.projected_globally().values, thread) : norms;
    float* row = pass.probabilities() + head * n * n;
    for (std::size_t i = 0; i < n; ++i, row += n) {
      const auto tokens = pass.global_tokens();
      const bool global = globally && std::binary_search(tokens.begin(), tokens.end(), i);
      for (std::size_t j = 0; j < n; ++j) row[j] *= (global ? global_norms : norms)[j];
    }
  }

  void end_forward(const Pass& pass, std::size_t layer) override {
    const std::size_t n = count(), heads = pass.heads(layer);
    const auto share = 1 / static_cast<float>(heads * pass.model().layers.size());
    for (std::size_t h = 0; h < heads; ++h) {
      const float* row = pass.probabilities() + (h * n + options().target.token.value_or(0)) * n;
      for (std::size_t j = 0; j < n; ++j) explanation().scores.data[j] += share * row[j];
    }
    if (options().details) add_detail(pass.probabilities(), {heads, n, n});
  }

  std::vector<OperatorScratch> scratch_;
  int stage_ = 0;
};

}  // namespace

std::unique_ptr<PassTask> make_norms(const EncoderModel& model, const Encoding&,
                                     const ExplainOptions& options) {
  return std::make_unique<Norms>(model, options);
}

}  // namespace headlight::explain
