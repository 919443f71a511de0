// pytorch_model.bin, as torch.save writes it: since 1.6 a zip archive, before that a stream of pickles and storages.
// https://github.com/pytorch/pytorch/blob/main/torch/serialization.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "weights/weight_reader.h"

namespace headlight {

// Reads either form, and keeps no more of it than the pickle, the directory, an element and, where a matrix lies
// transposed, that matrix. Throws E_UNSUPPORTED_WEIGHTS for what a plain checkpoint does not hold.
class TorchReader : public WeightReader {
 public:
  TorchReader(std::string file, TensorVisitor visitor)
      : file_(std::move(file)), visitor_(std::move(visitor)) {}
  void feed(std::span<const std::byte> bytes) override;
  void end() override;

 private:
  std::string file_;
  TensorVisitor visitor_;
  std::string beginning_;                 // until the form is known
  std::unique_ptr<WeightReader> reader_;  // of the form
};

}  // namespace headlight
