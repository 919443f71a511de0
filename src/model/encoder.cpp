#include "model/encoder.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace headlight {

std::vector<std::size_t> Embeddings::positions(std::span<const std::int32_t> ids) const {
  std::vector<std::size_t> positions(ids.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  return positions;
}

Value Embeddings::project(Operators&, const Value& output, const MutableRows*) const { return output; }

void Embeddings::forward(Operators& ops, std::span<const TokenInput> tokens, const EmbeddingOptions& options,
                         MutableRows out) const {
  const Value word = ops.rows(tokens.size(), words().columns());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    words().copy_row(static_cast<std::size_t>(tokens[i].id), word.row(i));
  }
  const bool in_place = assembled_size() == word.columns;
  const Value assembled = in_place ? word : ops.rows(tokens.size(), assembled_size());
  assemble(tokens, options, word.rows(), assembled.places());
  const Value embedded = output(ops, assembled, tokens, projects() ? nullptr : &out);
  if (projects()) project(ops, embedded, &out);
}

QueriesKeysValues Layer::project_global(Operators&, const Value&, const Projections&) const {
  assert(false);
  return {};
}

std::vector<std::size_t> EncoderModel::heads_of(std::size_t layer) const {
  const auto pruned = info.pruned_heads.empty() ? std::span<const std::size_t>() : info.pruned_heads[layer];
  std::vector<std::size_t> heads;
  for (std::size_t head = 0; head < info.num_attention_heads; ++head) {
    if (!std::binary_search(pruned.begin(), pruned.end(), head)) heads.push_back(head);
  }
  return heads;
}

void EncoderModel::prepare() {
  for (const auto& position : positions) position->prepare(*kernels);
  for (const auto& layer : layers) layer->prepare();
}

}  // namespace headlight
