#include "model/heads.h"

#include <algorithm>

namespace headlight {

DenseTransform::DenseTransform(WeightMap& map, const Options& options) : activation_(options.activation) {
  dense_.bind(map, options.dense, options.in_features, options.out_features, options.need, options.bias);
  if (!options.norm.empty()) {
    norm_.emplace().bind(map, options.norm, options.out_features, options.norm_options);
  }
}

void DenseTransform::forward(const Table& kernels, Rows x, MutableRows y) const {
  std::vector<std::byte> codes;
  dense_.forward(kernels, x, y, codes);
  for (std::size_t i = 0; i < x.count; ++i) apply(activation_, kernels, y.row(i), dense_.out_features());
  if (norm_) norm_->forward(kernels, y.first(x.count), y);
}

void NoTransform::forward(const Table&, Rows x, MutableRows y) const {
  for (std::size_t i = 0; i < x.count; ++i) std::copy_n(x.row(i), size_, y.row(i));
}

void TransformedHead::forward(const Table& kernels, Rows x, MutableRows logits) const {
  if (!transform_) return scores(kernels, x, logits);
  const std::size_t size = transform_->out_features();
  Buffer transformed(x.count * size);
  const MutableRows rows{transformed.data(), size};
  transform_->forward(kernels, x, rows);
  scores(kernels, rows.first(x.count), logits);
}

LinearHead::LinearHead(WeightMap& map, Kind kind, Reads reads, std::shared_ptr<const Transform> transform,
                       const std::string& name, std::size_t in_features, std::size_t outputs)
    : TransformedHead(kind, reads, std::move(transform)) {
  linear_.bind(map, name, in_features, outputs);
}

void LinearHead::scores(const Table& kernels, Rows x, MutableRows logits) const {
  std::vector<std::byte> codes;
  linear_.forward(kernels, x, logits, codes);
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

void TiedHead::scores(const Table& kernels, Rows x, MutableRows logits) const {
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
    kernels.gemm_f32({.a = x.data,
                      .a_stride = x.stride,
                      .rows = x.count,
                      .panels = panel.data(),
                      .k = k,
                      .columns = width,
                      .out = logits.data + first,
                      .out_stride = logits.stride,
                      .bias = bias_.data() + first});
  }
}

}  // namespace headlight
