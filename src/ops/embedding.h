// Embedding tables: a row for each id.
#pragma once

#include <cstdint>
#include <vector>

#include "weights/weight_map.h"

namespace headlight {

// Kept as float32, or as int8 codes that are multiplied out when a row is read.
class EmbeddingTable : public MatrixSink {
 public:
  // out [columns] += row `index`.
  void add_row(std::size_t index, float* out) const;
  // out [columns] = row `index`.
  void copy_row(std::size_t index, float* out) const;
  // out [count] = columns first … first + count - 1 of row `index`.
  void copy_part(std::size_t index, std::size_t first, std::size_t count, float* out) const;
  std::size_t bytes_for(std::size_t rows, std::size_t columns, Form kept) const override;
  void finish() override;

 protected:
  void allocate() override;
  void set_row(std::size_t row, std::span<const float> values) override;

 private:
  std::vector<float> values_;       // [rows, columns], or empty
  std::vector<std::int8_t> codes_;  // [rows, columns], or empty
};

}  // namespace headlight
