// The embeddings of the families.
#pragma once

#include <optional>
#include <string>

#include "model/encoder.h"
#include "ops/embedding.h"
#include "ops/norm.h"

namespace headlight {

// The sum of the embeddings of word, token type, position and task, normalised (Devlin et al. 2019) and, where they
// are narrower than the model, projected (Lan et al. 2020; Clark et al. 2020).
class SummedEmbeddings : public Embeddings {
 public:
  struct Options {
    std::size_t vocab_size, embedding_size, hidden_size;
    // Tables of this many rows; 0: no such embedding is added.
    std::size_t token_types = 0, positions = 0, task_types = 0;
    // Padding's id: positions are counted from it on, over the other tokens only (RoBERTa). None: from 0, over all.
    std::optional<std::int32_t> padding_idx = {};
    float scale = 1;  // of the word embeddings
    Norm::Options norm;
    // Names, each bound with ".weight"; the norm and the projection with ".bias" as well.
    std::string words = "embeddings.word_embeddings";
    std::string norm_name = "embeddings.LayerNorm";
    std::string projection = "";   // empty: embedding_size is hidden_size
    bool projected_first = false;  // before the norm, without a bias (DeBERTa)
  };

  SummedEmbeddings(WeightMap& map, const Options& options);

  const EmbeddingTable& words() const override { return words_; }
  std::size_t embedding_size() const { return options_.embedding_size; }
  std::vector<std::size_t> positions(std::span<const std::int32_t> ids) const override;
  std::size_t first_position() const override;
  std::size_t num_task_types() const override { return options_.task_types; }
  std::size_t assembled_size() const override { return options_.embedding_size; }
  std::size_t output_size() const override {
    return options_.projected_first ? options_.hidden_size : options_.embedding_size;
  }
  void assemble(std::span<const TokenInput> tokens, const EmbeddingOptions& options, Rows words,
                MutableRows out) const override;
  void assemble_backward(std::span<const TokenInput> tokens, Rows assembled,
                         MutableRows dwords) const override;
  Value output(Operators& ops, const Value& assembled, std::span<const TokenInput> tokens,
               const MutableRows* to) const override;
  bool projects() const override { return projection_.present() && !options_.projected_first; }
  Value project(Operators& ops, const Value& output, const MutableRows* to) const override;
  std::uint64_t work() const override;

 private:
  Options options_;
  EmbeddingTable words_, types_, positions_, tasks_;
  Norm norm_;
  Linear projection_;
};

// MobileBERT's (Sun et al. 2020): a token's embedding is made from its own and its neighbours' narrow ones.
//   Norm(Linear([next; own; previous]) + position + type)
class TrigramEmbeddings : public Embeddings {
 public:
  struct Options {
    std::size_t vocab_size, embedding_size, hidden_size, token_types, positions;
    bool neighbours;  // false: the token's own embedding alone is projected
    Norm::Options norm;
  };
  TrigramEmbeddings(WeightMap& map, const Options& options);

  const EmbeddingTable& words() const override { return words_; }
  std::size_t assembled_size() const override { return transformation_.in_features(); }
  std::size_t output_size() const override { return options_.hidden_size; }
  void assemble(std::span<const TokenInput> tokens, const EmbeddingOptions& options, Rows words,
                MutableRows out) const override;
  void assemble_backward(std::span<const TokenInput> tokens, Rows assembled,
                         MutableRows dwords) const override;
  Value output(Operators& ops, const Value& assembled, std::span<const TokenInput> tokens,
               const MutableRows* to) const override;
  std::uint64_t work() const override { return transformation_.work(); }

 private:
  // Calls visit(row, its token's index, offset of its columns) for each neighbour of a token that is a row, and
  // otherwise visit_other(token's index, id, offset); id -1: beyond the input's ends.
  template <typename Visit, typename VisitOther>
  void for_each_part(std::span<const TokenInput> tokens, Visit visit, VisitOther visit_other) const;

  Options options_;
  EmbeddingTable words_, types_, positions_;
  Linear transformation_;
  Norm norm_;
};

}  // namespace headlight
