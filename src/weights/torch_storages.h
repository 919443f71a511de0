// From a pickled state_dict and its storages, which arrive one after the other, to tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "concat.h"
#include "headlight.h"
#include "weights/pickle.h"
#include "weights/weight_reader.h"

namespace headlight {

class TorchStorages {
 public:
  TorchStorages(std::string file, TensorVisitor visitor)
      : file_(std::move(file)), visitor_(std::move(visitor)) {}

  // Takes the names and views of a pickle that has ended. Throws E_UNSUPPORTED_WEIGHTS for what is no flat dictionary
  // from names to tensors, or has a tensor whose elements are neither in order nor a transposed matrix;
  // E_MODEL_CORRUPT for a name that is there twice.
  void open(const PickleReader& pickle);
  bool is_open() const { return open_; }

  // The elements of one storage follow, `size()` bytes. Throws E_MODEL_CORRUPT for a key that no tensor has, or a
  // second time.
  void begin(const std::string& key, std::uint64_t offset);
  std::uint64_t size() const;  // bytes
  std::uint64_t elements() const { return storages_[current_].about.elements; }
  void feed(std::span<const std::byte> bytes);
  void finish();

  // The name of a tensor whose storage has not come; empty when all is there.
  std::string missing() const;

 private:
  struct View {
    TensorEntry entry;
    std::uint64_t offset = 0;  // of the first element within the storage
    bool transposed = false;
    TensorSink* sink = nullptr;
    std::vector<float> columns = {};  // of a transposed matrix: its elements as they came
  };
  struct Storage {
    PickledStorage about;
    std::vector<std::size_t> views = {};
    bool done = false;
  };

  [[noreturn]] void fail(ErrorCode code, const TextPiece& what, const std::string& tensor) const;
  View view_of(const std::string& name, const PickledTensor& tensor) const;
  void write(std::size_t first, std::span<const float> values);
  static void write_transposed(const View& view);

  std::string file_;
  TensorVisitor visitor_;
  bool open_ = false;
  std::vector<View> views_;
  std::vector<Storage> storages_;
  std::map<std::string, std::uint64_t> index_;  // of a key in storages_

  std::size_t current_ = 0;  // storage
  std::size_t element_ = 0;  // within it
  std::string pending_;      // of an element that a chunk's end cuts
};

}  // namespace headlight
