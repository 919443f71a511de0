#include "model/heads.h"

#include <algorithm>

namespace headlight {

DenseTransform::DenseTransform(WeightMap& map, const Options& options) : activation_(options.activation) {
  dense_.bind(map, options.dense, options.in_features, options.out_features, options.need, options.bias);
  if (!options.norm.empty()) {
    norm_.emplace().bind(map, options.norm, options.out_features, options.norm_options);
  }
}

Value DenseTransform::forward(Operators& ops, const Value& x) const {
  const Value y = ops.activate(activation_, ops.linear(dense_, x));
  return norm_ ? ops.norm(*norm_, y) : y;
}

Value TransformedHead::features(Operators& ops, const Value& x) const {
  return transform_ ? transform_->forward(ops, x) : x;
}

LinearHead::LinearHead(WeightMap& map, Kind kind, Reads reads, std::shared_ptr<const Transform> transform,
                       const std::string& name, std::size_t in_features, std::size_t outputs)
    : TransformedHead(kind, reads, std::move(transform)) {
  linear_.bind(map, name, in_features, outputs);
}

void LinearHead::scores(Operators& ops, const Value& features, MutableRows logits) const {
  ops.linear(linear_, features, nullptr, &logits);
}

TiedHead::TiedHead(WeightMap& map, std::shared_ptr<const Transform> transform, const Options& options,
                   const EmbeddingTable& words)
    : TransformedHead(Kind::masked_lm, Reads::all_tokens, std::move(transform)),
      options_(options),
      words_(words) {
  if (options.bias.empty()) {
    bias_.assign(options.vocab_size, 0.0f);
  } else {
    map.add_vector(options.bias, options.vocab_size, bias_);
  }
  if (!options.extra.empty()) {
    map.add_matrix(options.extra, options.in_features - options.embedding_size, options.vocab_size, extra_);
  }
}

void TiedHead::scores(Operators& ops, const Value& features, MutableRows logits) const {
  using kernels::kPanelColumns;
  const std::size_t k = options_.in_features;
  const std::size_t narrow = options_.embedding_size;
  // A panel of the table at a time: the embeddings stay as they are and no second copy of them is kept.
  Buffer words(kPanelColumns * narrow);
  Buffer panel(kPanelColumns * k);
  for (std::size_t first = 0; first < options_.vocab_size; first += kPanelColumns) {
    const std::size_t width = std::min(kPanelColumns, options_.vocab_size - first);
    for (std::size_t c = 0; c < width; ++c) words_.copy_row(first + c, words.data() + c * narrow);
    pack_panels({words.data(), narrow, width}, narrow, panel.data());
    for (std::size_t p = narrow; p < k; ++p) {
      float* out = panel.data() + p * kPanelColumns;
      extra_.copy_part(p - narrow, first, width, out);
      std::fill_n(out + width, kPanelColumns - width, 0.0f);
    }
    ops.kernels().gemm_f32({.a = features.data,
                            .a_stride = features.stride,
                            .rows = features.count,
                            .panels = panel.data(),
                            .k = k,
                            .columns = width,
                            .out = logits.data + first,
                            .out_stride = logits.stride,
                            .bias = bias_.data() + first});
  }
}

void TiedHead::copy_weights(std::size_t output, float* out) const {
  words_.copy_row(output, out);
  for (std::size_t p = options_.embedding_size; p < options_.in_features; ++p) {
    extra_.copy_part(p - options_.embedding_size, output, 1, out + p);
  }
}

}  // namespace headlight
