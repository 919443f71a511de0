#include "model/layers.h"

#include <cmath>

namespace headlight {

void SummedEmbeddings::bind(WeightMap& map, const std::string& name, const Sizes& sizes, bool add_positions,
                            float eps) {
  map.add_matrix(name + ".word_embeddings.weight", sizes.vocab_size, sizes.hidden_size, words_);
  map.add_matrix(name + ".token_type_embeddings.weight", sizes.type_vocab_size, sizes.hidden_size, types_);
  if (add_positions) {
    map.add_matrix(name + ".position_embeddings.weight", sizes.max_position_embeddings, sizes.hidden_size,
                   positions_);
  }
  norm_.bind(map, name + ".LayerNorm", sizes.hidden_size, eps);
}

void SummedEmbeddings::forward(const Table& kernels, std::span<const TokenInput> sequence, std::size_t first,
                               std::size_t count, MutableRows out) const {
  for (std::size_t i = 0; i < count; ++i) {
    const TokenInput& token = sequence[first + i];
    words_.copy_row(static_cast<std::size_t>(token.id), out.row(i));
    types_.add_row(static_cast<std::size_t>(token.type_id), out.row(i));
    if (!positions_.empty()) positions_.add_row(token.position, out.row(i));
  }
  norm_.forward(kernels, out.first(count), out);
}

std::uint64_t SummedEmbeddings::work() const { return 4 * words_.columns(); }

PostNormLayer::PostNormLayer(WeightMap& map, const std::string& name, const LayerNames& names,
                             const LayerSizes& sizes, const PositionScheme* position)
    : num_attention_heads_(sizes.num_attention_heads),
      attention_(sizes.hidden_size / sizes.num_attention_heads,
                 1 / std::sqrt(static_cast<float>(sizes.hidden_size / sizes.num_attention_heads)), position),
      hidden_act_(sizes.hidden_act) {
  const std::size_t hidden = sizes.hidden_size;
  query_.bind(map, name + names.query, hidden, hidden);
  key_.bind(map, name + names.key, hidden, hidden);
  value_.bind(map, name + names.value, hidden, hidden);
  attention_output_.bind(map, name + names.attention_output, hidden, hidden);
  attention_norm_.bind(map, name + names.attention_norm, hidden, sizes.layer_norm_eps);
  intermediate_.bind(map, name + names.intermediate, hidden, sizes.intermediate_size);
  output_.bind(map, name + names.output, sizes.intermediate_size, hidden);
  output_norm_.bind(map, name + names.output_norm, hidden, sizes.layer_norm_eps);
}

void PostNormLayer::project(const Table& kernels, Rows x, const Projections& out,
                            LayerScratch& scratch) const {
  LinearInput input(kernels, x, query_.in_features(), scratch.codes);
  if (out.queries) query_.forward(input, *out.queries);
  if (out.keys) key_.forward(input, *out.keys);
  if (out.values) value_.forward(input, *out.values);
}

void PostNormLayer::combine(const Table& kernels, Rows x, Rows context, MutableRows y,
                            LayerScratch& scratch) const {
  const std::size_t hidden = attention_output_.out_features();
  const std::size_t wide = intermediate_.out_features();
  scratch.attended.reserve(x.count * hidden);
  scratch.intermediate.reserve(x.count * wide);
  const MutableRows attended{scratch.attended.data(), hidden};
  const MutableRows intermediate{scratch.intermediate.data(), wide};

  attention_output_.forward(kernels, context, attended, scratch.codes, &x);
  const Rows normed = attended.first(x.count);
  attention_norm_.forward(kernels, normed, attended);
  intermediate_.forward(kernels, normed, intermediate, scratch.codes);
  apply(hidden_act_, kernels, intermediate.data, x.count * wide);
  output_.forward(kernels, intermediate.first(x.count), y, scratch.codes, &normed);
  output_norm_.forward(kernels, y.first(x.count), y);
}

std::uint64_t PostNormLayer::queries_work() const { return query_.work(); }
std::uint64_t PostNormLayer::keys_values_work() const { return key_.work() + value_.work(); }
std::uint64_t PostNormLayer::combine_work() const {
  return attention_output_.work() + intermediate_.work() + output_.work();
}

}  // namespace headlight
