#include "model/encoder.h"

#include <cassert>
#include <numeric>

namespace headlight {

std::vector<std::size_t> Embeddings::positions(std::span<const std::int32_t> ids) const {
  std::vector<std::size_t> positions(ids.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  return positions;
}

void Layer::project_global(const Table&, Rows, const Projections&, LayerScratch&) const { assert(false); }

void EncoderModel::prepare() {
  for (const auto& position : positions) position->prepare(*kernels);
  for (const auto& layer : layers) layer->prepare(*kernels);
}

}  // namespace headlight
