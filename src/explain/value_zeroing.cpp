// Value zeroing (Mohebbi et al. 2023, "Quantifying Context Mixing in Transformers"): how far a token's output of a layer
// turns when another token's value vectors are taken as 0,
//   C_ij = 1 - cos(y_i, y_i without v_j),  each row divided by its sum,
// and over the layers, as the paper has it, the product C_L … C_1. The score is the row of the target's token.
#include <algorithm>
#include <cmath>

#include "explain/explain.h"
#include "explain/matrices.h"
#include "model/kept_attention.h"

namespace headlight::explain {
namespace {

float cosine(const float* a, const float* b, std::size_t size) {
  double product = 0, squares_a = 0, squares_b = 0;
  for (std::size_t c = 0; c < size; ++c) {
    product += static_cast<double>(a[c]) * b[c];
    squares_a += static_cast<double>(a[c]) * a[c];
    squares_b += static_cast<double>(b[c]) * b[c];
  }
  return static_cast<float>(product / std::max(std::sqrt(squares_a * squares_b), 1e-30));
}

class ValueZeroing final : public PassTask {
 public:
  ValueZeroing(const EncoderModel& model, const ExplainOptions& options)
      : PassTask(model, options), scratch_(model.pool->size()) {}

 private:
  bool watches_forward() const override { return true; }
  std::size_t pieces(const Pass& pass, std::size_t) override { return pass.count(); }
  std::uint64_t piece_work(const Pass& pass, std::size_t layer) const override {
    return pass.count() * pass.model().layers[layer]->combine_work();
  }
  std::uint64_t total_work() const override { return pass().forward_work(); }

  bool next(std::uint64_t&) override {
    if (stage_++ == 0) {
      turned_.resize(count() * count());
      pass().begin_forward(Place::words);
      return true;
    }
    if (explanation().scores.data.empty()) {
      explanation().scores = row_of_matrix(rolled_, options().target.token.value_or(0));
    }
    return false;
  }

  // Column j of the layer's matrix.
  void piece(const Pass& pass, std::size_t index, std::size_t j, std::size_t thread) override {
    const Layer& layer = *pass.model().layers[index];
    const std::size_t n = pass.count(), head_size = layer.attention().head_size();
    Immediate ops(kernels(), scratch_[thread], Immediate::Arithmetic::exact);
    const Value context = ops.rows(n, pass.context().columns),
                y = ops.rows(n, pass.layer_output(index).columns);
    const auto globals =
        pass.projected_globally().values.data ? pass.global_tokens() : std::span<const std::size_t>();
    for (std::size_t i = 0; i < n; ++i) {
      const bool global = std::binary_search(globals.begin(), globals.end(), i);
      const float* value = (global ? pass.projected_globally() : pass.projected()).values.row(j);
      std::copy_n(pass.context().row(i), context.columns, context.row(i));
      for (std::size_t h = 0; h < pass.heads(index); ++h) {
        const float p = pass.probabilities()[(h * n + i) * n + j];
        for (std::size_t c = h * head_size; c < (h + 1) * head_size; ++c) context.row(i)[c] -= p * value[c];
      }
    }
    const MutableRows to = y.places();
    layer.combine(ops, pass.layer_input(index), context, &to);
    if (const Convolution* convolution = layer.convolution()) {
      convolution->forward(ops, pass.layer_input(index), 0, y, &to);
    }
    for (std::size_t i = 0; i < n; ++i) {
      turned_[i * n + j] = std::max(1 - cosine(pass.layer_output(index).row(i), y.row(i), y.columns), 0.0f);
    }
  }

  void end_forward(const Pass&, std::size_t) override {
    const std::size_t n = count();
    Buffer matrix(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      float sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += turned_[i * n + j];
      for (std::size_t j = 0; j < n; ++j) matrix.data()[i * n + j] = sum > 0 ? turned_[i * n + j] / sum : 0;
    }
    if (options().details) add_detail(matrix.data(), {n, n});
    roll(kernels(), matrix, n, rolled_);
  }

  std::vector<OperatorScratch> scratch_;
  std::vector<float> turned_;  // [n, n]
  Tensor rolled_;
  int stage_ = 0;
};

}  // namespace

std::unique_ptr<PassTask> make_value_zeroing(const EncoderModel& model, const Encoding&,
                                             const ExplainOptions& options) {
  return std::make_unique<ValueZeroing>(model, options);
}

}  // namespace headlight::explain
