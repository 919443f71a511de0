#include "ops/embedding.h"

#include <algorithm>
#include <cassert>

namespace headlight {

void EmbeddingTable::add_row(std::size_t index, float* out) const {
  assert(index < rows());
  const std::size_t first = index * columns();
  if (codes_.empty()) {
    for (std::size_t i = 0; i < columns(); ++i) out[i] += values_[first + i];
  } else {
    const float scale = row_scales_[index];
    for (std::size_t i = 0; i < columns(); ++i) out[i] += scale * static_cast<float>(codes_[first + i]);
  }
}

void EmbeddingTable::copy_row(std::size_t index, float* out) const { copy_part(index, 0, columns(), out); }

void EmbeddingTable::copy_part(std::size_t index, std::size_t first, std::size_t count, float* out) const {
  assert(index < rows() && first + count <= columns());
  const std::size_t place = index * columns() + first;
  if (codes_.empty()) {
    std::copy_n(values_.data() + place, count, out);
  } else {
    const float scale = row_scales_[index];
    for (std::size_t i = 0; i < count; ++i) out[i] = scale * static_cast<float>(codes_[place + i]);
  }
}

std::size_t EmbeddingTable::bytes_for(std::size_t rows, std::size_t columns, Form kept) const {
  return rows * columns * (kept == Form::codes ? sizeof(std::int8_t) : sizeof(float));
}

// Codes that are to run as values.
void EmbeddingTable::finish() {
  if (kept() == Form::codes || row_scales_.empty()) return;
  for (std::size_t i = 0; i < rows() * columns(); ++i) values_[i] *= row_scales_[i / columns()];
}

void EmbeddingTable::allocate() {
  if (kept() == Form::codes) {
    codes_.resize(rows() * columns());
  } else {
    values_.resize(rows() * columns());
  }
}

void EmbeddingTable::set_row(std::size_t row, std::span<const float> values) {
  const auto first = static_cast<std::ptrdiff_t>(row * columns());
  if (codes_.empty()) {
    std::copy(values.begin(), values.end(), values_.begin() + first);
  } else {
    std::transform(values.begin(), values.end(), codes_.begin() + first,
                   [](float code) { return static_cast<std::int8_t>(code); });
  }
}

}  // namespace headlight
