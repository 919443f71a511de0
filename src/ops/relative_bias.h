// A learned bias for each head and bucket of distances (Raffel et al. 2020), as MPNet has it (Song et al. 2020).
#pragma once

#include <vector>

#include "ops/embedding.h"
#include "ops/position.h"

namespace headlight {

// scale * score[i][j] += bias[bucket(j - i)][head]; distances from 8 on share buckets by their logarithm, up to 128.
class RelativeBias : public PositionScheme {
 public:
  static constexpr std::size_t kBuckets = 32;

  // Binds `name` [buckets, heads]; the first kBuckets are used. scale: the attention's. All layers may share one.
  RelativeBias(WeightMap& map, const std::string& name, std::size_t buckets, std::size_t heads, float scale);

  void prepare(const kernels::Table& kernels) override;
  void add_to_scores(const kernels::Table& kernels, const ScoreBlock& block, const Buffer& of_head,
                     Buffer& scratch) const override;
  std::uint64_t work(std::size_t n) const override;

 private:
  std::size_t heads_;
  float scale_;
  EmbeddingTable bias_;             // [buckets, heads]
  std::vector<float> by_distance_;  // [heads][2 * farthest + 1], divided by the scale
};

}  // namespace headlight
