#include "model/encoder.h"

namespace headlight {

std::size_t Embeddings::position(std::span<const std::int32_t>, std::size_t index) const { return index; }

void Pooler::bind(WeightMap& map, const std::string& name, std::size_t hidden_size, Activation activation,
                  WeightMap::Need need) {
  dense_.bind(map, name, hidden_size, hidden_size, need);
  activation_ = activation;
}

void Pooler::forward(const Table& kernels, Rows x, MutableRows y) const {
  std::vector<std::byte> codes;
  dense_.forward(kernels, x, y, codes);
  for (std::size_t i = 0; i < x.count; ++i) apply(activation_, kernels, y.row(i), dense_.out_features());
}

}  // namespace headlight
