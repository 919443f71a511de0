#include "ops/relative_bias.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headlight {
namespace {

constexpr std::int64_t kFarthest = 128;  // from there on all distances are alike
constexpr auto kHalf =
    static_cast<std::int64_t>(RelativeBias::kBuckets / 2);  // for keys to the left, or right
constexpr std::int64_t kExact = 8;                          // distances that have a bucket each

std::size_t bucket(std::int64_t key_minus_query) {
  const std::int64_t side = key_minus_query > 0 ? kHalf : 0;
  const std::int64_t distance = std::abs(key_minus_query);
  if (distance < kExact) return static_cast<std::size_t>(side + distance);
  // In float32, as PyTorch computes it.
  const float growth = std::log(static_cast<float>(distance) / static_cast<float>(kExact)) /
                       static_cast<float>(std::log(static_cast<double>(kFarthest) / kExact));
  const auto step = static_cast<std::int64_t>(growth * static_cast<float>(kHalf - kExact));
  return static_cast<std::size_t>(side + std::min(kExact + step, kHalf - 1));
}

}  // namespace

RelativeBias::RelativeBias(WeightMap& map, const std::string& name, std::size_t buckets, std::size_t heads,
                           float scale)
    : heads_(heads), scale_(scale) {
  map.add_matrix(name, buckets, heads, bias_, WeightMap::Need::required, MatrixSink::Form::values);
}

void RelativeBias::prepare(const kernels::Table&) {
  constexpr auto kWidth = static_cast<std::size_t>(2 * kFarthest + 1);
  by_distance_.resize(heads_ * kWidth);
  std::vector<float> row(heads_);
  for (std::int64_t d = -kFarthest; d <= kFarthest; ++d) {
    bias_.copy_row(bucket(d), row.data());
    for (std::size_t head = 0; head < heads_; ++head) {
      by_distance_[head * kWidth + static_cast<std::size_t>(d + kFarthest)] = row[head] / scale_;
    }
  }
}

void RelativeBias::add_to_scores(const kernels::Table&, const ScoreBlock& block, const Buffer&,
                                 Buffer&) const {
  const float* zero =
      by_distance_.data() + block.head * static_cast<std::size_t>(2 * kFarthest + 1) + kFarthest;
  for (std::size_t i = 0; i < block.queries.count; ++i) {
    const auto query = static_cast<std::int64_t>(block.first_query + i);
    float* row = block.scores.row(i);
    for (std::size_t j = 0; j < block.keys.count; ++j) {
      row[j] += zero[std::clamp(static_cast<std::int64_t>(j) - query, -kFarthest, kFarthest)];
    }
  }
}

std::uint64_t RelativeBias::work(std::size_t n) const { return n; }

}  // namespace headlight
