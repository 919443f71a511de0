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

void SummedEmbeddings::assemble(std::span<const TokenInput> tokens, const EmbeddingOptions& options,
                                Rows words, MutableRows out) const {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const TokenInput& token = tokens[i];
    float* row = out.row(i);
    for (std::size_t c = 0; c < options_.embedding_size; ++c) row[c] = words.row(i)[c] * options_.scale;
    if (!types_.empty()) types_.add_row(static_cast<std::size_t>(token.type_id), row);
    if (!positions_.empty()) positions_.add_row(token.position, row);
    if (!tasks_.empty()) tasks_.add_row(options.task_type_id, row);
  }
}

void SummedEmbeddings::assemble_backward(std::span<const TokenInput> tokens, Rows assembled,
                                         MutableRows dwords) const {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    for (std::size_t c = 0; c < options_.embedding_size; ++c) {
      dwords.row(i)[c] += assembled.row(i)[c] * options_.scale;
    }
  }
}

Value SummedEmbeddings::output(Operators& ops, const Value& assembled, std::span<const TokenInput>,
                               const MutableRows* to) const {
  const bool project = projection_.present() && options_.projected_first;
  return ops.norm(norm_, project ? ops.linear(projection_, assembled) : assembled, to);
}

Value SummedEmbeddings::project(Operators& ops, const Value& output, const MutableRows* to) const {
  return ops.linear(projection_, output, nullptr, to);
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

template <typename Visit, typename VisitOther>
void TrigramEmbeddings::for_each_part(std::span<const TokenInput> tokens, Visit visit,
                                      VisitOther visit_other) const {
  const std::size_t size = options_.embedding_size;
  const std::size_t own = options_.neighbours ? size : 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    visit(i, i, own);
    if (!options_.neighbours) continue;
    if (i + 1 < tokens.size() && tokens[i + 1].id == tokens[i].next_id) {
      visit(i + 1, i, std::size_t{0});
    } else {
      visit_other(i, tokens[i].next_id, std::size_t{0});
    }
    if (i > 0 && tokens[i - 1].id == tokens[i].previous_id) {
      visit(i - 1, i, 2 * size);
    } else {
      visit_other(i, tokens[i].previous_id, 2 * size);
    }
  }
}

void TrigramEmbeddings::assemble(std::span<const TokenInput> tokens, const EmbeddingOptions&, Rows words,
                                 MutableRows out) const {
  const std::size_t size = options_.embedding_size;
  for_each_part(
      tokens,
      [&](std::size_t row, std::size_t token, std::size_t offset) {
        if (out.row(token) + offset != words.row(row))
          std::copy_n(words.row(row), size, out.row(token) + offset);
      },
      [&](std::size_t token, std::int32_t id, std::size_t offset) {
        if (id < 0) {
          std::fill_n(out.row(token) + offset, size, 0.0f);
        } else {
          words_.copy_row(static_cast<std::size_t>(id), out.row(token) + offset);
        }
      });
}

void TrigramEmbeddings::assemble_backward(std::span<const TokenInput> tokens, Rows assembled,
                                          MutableRows dwords) const {
  for_each_part(
      tokens,
      [&](std::size_t row, std::size_t token, std::size_t offset) {
        for (std::size_t c = 0; c < options_.embedding_size; ++c) {
          dwords.row(row)[c] += assembled.row(token)[offset + c];
        }
      },
      [](std::size_t, std::int32_t, std::size_t) {});
}

Value TrigramEmbeddings::output(Operators& ops, const Value& assembled, std::span<const TokenInput> tokens,
                                const MutableRows* to) const {
  const Value others = ops.rows(tokens.size(), options_.hidden_size);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::fill_n(others.row(i), others.columns, 0.0f);
    positions_.add_row(tokens[i].position, others.row(i));
    types_.add_row(static_cast<std::size_t>(tokens[i].type_id), others.row(i));
  }
  return ops.norm(norm_, ops.linear(transformation_, assembled, &others), to);
}

}  // namespace headlight
