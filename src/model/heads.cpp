#include "model/heads.h"

#include <algorithm>

namespace headlight {

LinearHead::LinearHead(WeightMap& map, Kind kind, const std::string& name, std::size_t hidden_size,
                       std::size_t outputs, const Pooler* pooler)
    : kind_(kind), pooler_(pooler) {
  linear_.bind(map, name, hidden_size, outputs);
}

Head::Reads LinearHead::reads() const {
  return kind_ == Kind::sequence_classification || kind_ == Kind::next_sentence ? Reads::first_token
                                                                                : Reads::all_tokens;
}

std::uint64_t LinearHead::work() const { return linear_.work() + (pooler_ ? pooler_->work() : 0); }

void LinearHead::forward(const Table& kernels, Rows x, MutableRows logits) const {
  std::vector<std::byte> codes;
  if (!pooler_) return linear_.forward(kernels, x, logits, codes);
  Buffer pooled(x.count * linear_.in_features());
  const MutableRows rows{pooled.data(), linear_.in_features()};
  pooler_->forward(kernels, x, rows);
  linear_.forward(kernels, rows.first(x.count), logits, codes);
}

MaskedLmHead::MaskedLmHead(WeightMap& map, const Names& names, std::size_t hidden_size,
                           std::size_t vocab_size, Activation activation, float eps,
                           const EmbeddingTable& words)
    : activation_(activation), words_(words), vocab_size_(vocab_size) {
  dense_.bind(map, names.dense, hidden_size, hidden_size);
  norm_.bind(map, names.norm, hidden_size, eps);
  map.add_vector(names.bias, vocab_size, bias_);
}

std::uint64_t MaskedLmHead::work() const {
  return dense_.work() + static_cast<std::uint64_t>(vocab_size_) * dense_.out_features();
}

void MaskedLmHead::forward(const Table& kernels, Rows x, MutableRows logits) const {
  using kernels::kPanelColumns;
  const std::size_t hidden = dense_.out_features();
  Buffer transformed(x.count * hidden);
  const MutableRows rows{transformed.data(), hidden};
  std::vector<std::byte> codes;
  dense_.forward(kernels, x, rows, codes);
  apply(activation_, kernels, transformed.data(), x.count * hidden);
  norm_.forward(kernels, rows.first(x.count), rows);

  // A panel of the table at a time: the embeddings stay as they are and no second copy of them is kept.
  Buffer words(kPanelColumns * hidden);
  Buffer panel(kPanelColumns * hidden);
  for (std::size_t first = 0; first < vocab_size_; first += kPanelColumns) {
    const std::size_t width = std::min(kPanelColumns, vocab_size_ - first);
    for (std::size_t c = 0; c < width; ++c) words_.copy_row(first + c, words.data() + c * hidden);
    pack_panels({words.data(), hidden, width}, hidden, panel.data());
    kernels.gemm_f32({.a = transformed.data(),
                      .a_stride = hidden,
                      .rows = x.count,
                      .panels = panel.data(),
                      .k = hidden,
                      .columns = width,
                      .out = logits.data + first,
                      .out_stride = logits.stride,
                      .bias = bias_.data() + first});
  }
}

}  // namespace headlight
