#include "model/embeddings.h"
#include "concat.h"

#include <algorithm>

namespace headlight {

SummedEmbeddings::SummedEmbeddings(WeightMap& map, const Options& options) : options_(options) {
  const std::size_t size = options.embedding_size;
  map.add_matrix(concat({options.words, ".weight"}), options.vocab_size, size, words_);
  const auto bind = [&](const char* name, std::size_t rows, EmbeddingTable& table) {
    if (rows > 0) map.add_matrix(concat({"embeddings.", name, ".weight"}), rows, size, table);
  };
  bind("token_type_embeddings", options.token_types, types_);
  bind("position_embeddings", options.positions, positions_);
  bind("task_type_embeddings", options.task_types, tasks_);
  norm_.bind(map, options.norm_name, options.projected_first ? options.hidden_size : size, options.norm);
  if (!options.projection.empty()) {
    projection_.bind(map, options.projection, size, options.hidden_size, WeightMap::Need::required,
                     options.projected_first ? Linear::Bias::none : Linear::Bias::present);
  }
}

std::vector<std::size_t> SummedEmbeddings::positions(std::span<const std::int32_t> ids) const {
  if (!options_.padding_idx) return Embeddings::positions(ids);
  std::vector<std::size_t> positions;
  const auto padding = static_cast<std::size_t>(*options_.padding_idx);
  std::size_t counted = 0;
  for (const std::int32_t id : ids) {
    if (id != *options_.padding_idx) ++counted;
    positions.push_back(id == *options_.padding_idx ? padding : padding + counted);
  }
  return positions;
}

std::size_t SummedEmbeddings::first_position() const {
  return options_.padding_idx ? static_cast<std::size_t>(*options_.padding_idx) + 1 : 0;
}

void SummedEmbeddings::forward(const Table& kernels, std::span<const TokenInput> tokens,
                               const EmbeddingOptions& options, MutableRows out) const {
  const std::size_t size = options_.embedding_size;
  Buffer narrow;
  MutableRows sums = out;
  if (projection_.present()) {
    narrow = Buffer(tokens.size() * size);
    sums = {narrow.data(), size};
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const TokenInput& token = tokens[i];
    float* row = sums.row(i);
    words_.copy_row(static_cast<std::size_t>(token.id), row);
    if (options_.scale != 1)
      std::transform(row, row + size, row, [this](float v) { return v * options_.scale; });
    if (!types_.empty()) types_.add_row(static_cast<std::size_t>(token.type_id), row);
    if (!positions_.empty()) positions_.add_row(token.position, row);
    if (!tasks_.empty()) tasks_.add_row(options.task_type_id, row);
  }
  const Rows summed = sums.first(tokens.size());
  std::vector<std::byte> codes;
  if (!projection_.present()) return norm_.forward(kernels, summed, out);
  if (options_.projected_first) {
    projection_.forward(kernels, summed, out, codes);
    return norm_.forward(kernels, out.first(tokens.size()), out);
  }
  norm_.forward(kernels, summed, sums);
  projection_.forward(kernels, summed, out, codes);
}

std::uint64_t SummedEmbeddings::work() const { return 4 * options_.embedding_size + projection_.work(); }

TrigramEmbeddings::TrigramEmbeddings(WeightMap& map, const Options& options) : options_(options) {
  map.add_matrix("embeddings.word_embeddings.weight", options.vocab_size, options.embedding_size, words_);
  map.add_matrix("embeddings.token_type_embeddings.weight", options.token_types, options.hidden_size, types_);
  map.add_matrix("embeddings.position_embeddings.weight", options.positions, options.hidden_size, positions_);
  transformation_.bind(map, "embeddings.embedding_transformation",
                       (options.neighbours ? 3 : 1) * options.embedding_size, options.hidden_size);
  norm_.bind(map, "embeddings.LayerNorm", options.hidden_size, options.norm);
}

void TrigramEmbeddings::forward(const Table& kernels, std::span<const TokenInput> tokens,
                                const EmbeddingOptions&, MutableRows out) const {
  const std::size_t size = options_.embedding_size;
  const std::size_t width = transformation_.in_features();
  Buffer narrow(tokens.size() * width);
  const auto put = [&](std::int32_t id, float* to) {
    if (id < 0) {
      std::fill_n(to, size, 0.0f);
    } else {
      words_.copy_row(static_cast<std::size_t>(id), to);
    }
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    float* row = narrow.data() + i * width;
    if (options_.neighbours) {
      put(tokens[i].next_id, row);
      put(tokens[i].previous_id, row + 2 * size);
      row += size;
    }
    put(tokens[i].id, row);
  }
  std::vector<std::byte> codes;
  transformation_.forward(kernels, {narrow.data(), width, tokens.size()}, out, codes);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    positions_.add_row(tokens[i].position, out.row(i));
    types_.add_row(static_cast<std::size_t>(tokens[i].type_id), out.row(i));
  }
  norm_.forward(kernels, out.first(tokens.size()), out);
}

}  // namespace headlight
