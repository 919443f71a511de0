// DeBERTa's disentangled attention (He et al. 2021): content and relative position have projections of their own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/embedding.h"
#include "ops/norm.h"
#include "ops/position.h"

namespace headlight {

// Embeddings of relative distances, which all layers share: `rel_embeddings`.weight [2 * span, hidden_size].
class RelativeEmbeddings {
 public:
  struct Options {
    std::size_t span;  // distances -span … span - 1 have a row each
    std::size_t
        buckets;  // 0: distances are taken as they are; else far ones share buckets by their logarithm
    std::size_t max_positions;  // the farthest distance that buckets are laid out for
    std::size_t longest;        // tokens of a sequence
    std::size_t hidden_size;
  };
  RelativeEmbeddings(WeightMap& map, const std::string& name, const Options& options);
  // Normalises the rows (norm_rel_ebd "layer_norm"); binds `name`.
  void bind_norm(WeightMap& map, const std::string& name, const Norm::Options& options);

  void prepare(const kernels::Table& kernels);
  Rows rows() const { return {rows_.data(), options_.hidden_size, 2 * options_.span}; }
  const Options& options() const { return options_; }
  // The row of the distance query - key is index_of_zero()[query - key].
  const std::uint32_t* index_of_zero() const { return index_.data() + (options_.longest - 1); }

 private:
  Options options_;
  EmbeddingTable table_;
  Buffer rows_;                       // of the table, normalised
  std::vector<std::uint32_t> index_;  // [2 * longest - 1], by distance
  Norm norm_;
  bool normalised_ = false;
};

//   score[i][j] += q_i · K[r] (c2p) + k_j · Q[r] (p2c),  r = row of the distance i - j,
// where K and Q are the relative embeddings through projections of keys and of queries.
class Disentangled : public PositionScheme {
 public:
  // key, query: the projections of the relative embeddings [hidden_size -> heads * head_size], null where the
  // direction is not used; all must live longer.
  Disentangled(RelativeEmbeddings& distances, const Linear* key, const Linear* query, std::size_t heads,
               std::size_t head_size)
      : distances_(distances), key_(key), query_(query), heads_(heads), head_size_(head_size) {}

  void prepare(const kernels::Table& kernels) override;
  void begin_head(const kernels::Table& kernels, Rows keys, std::size_t head, Buffer& of_head) const override;
  void add_to_scores(const kernels::Table& kernels, const ScoreBlock& block, const Buffer& of_head,
                     Buffer& scratch) const override;
  void begin_backward(std::size_t n, Buffer& of_head) const override;
  void scores_backward(const kernels::Table& kernels, const ScoreBlock& block, MutableRows queries,
                       MutableRows keys, Buffer& of_head, Buffer& scratch) const override;
  void end_backward(const kernels::Table& kernels, std::size_t n, std::size_t head, MutableRows keys,
                    Buffer& of_head) const override;
  std::uint64_t work(std::size_t n) const override;

 private:
  std::size_t columns() const { return 2 * distances_.options().span; }
  // The relative embeddings through a projection, as panels over the features of one head after the other.
  Buffer project(const kernels::Table& kernels, const Linear& projection) const;
  // rows [count, head_size] times one head's panels -> [count, columns()].
  void multiply(const kernels::Table& kernels, Rows rows, const Buffer& panels, std::size_t head,
                float* out) const;
  // The same transposed: out [count, head_size] += rows [count, columns()] times them.
  void multiply_back(const kernels::Table& kernels, Rows rows, const Buffer& panels, std::size_t head,
                     MutableRows out) const;

  RelativeEmbeddings& distances_;
  const Linear* key_;
  const Linear* query_;
  std::size_t heads_, head_size_;
  Buffer key_panels_, query_panels_;
};

}  // namespace headlight
