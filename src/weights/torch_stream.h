// The older form of torch.save: pickles of a magic number, a version, facts of the machine, the state_dict and the
// storages' keys, then each storage's number of elements and these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weights/pickle.h"
#include "weights/torch_storages.h"

namespace headlight {

class TorchStreamReader : public WeightReader {
 public:
  TorchStreamReader(std::string file, TensorVisitor visitor)
      : file_(file), storages_(std::move(file), std::move(visitor)) {}
  void feed(std::span<const std::byte> bytes) override;
  void end() override;

 private:
  enum class Part { magic, version, machine, state_dict, keys, storages, done };
  void read_pickle(std::span<const std::byte>& bytes);
  void take(const PickleReader& pickle);
  void take_keys(const PickleReader& pickle);
  void read_storage(std::span<const std::byte>& bytes);
  void next_storage();

  std::string file_;
  TorchStorages storages_;
  Part part_ = Part::magic;
  std::uint64_t position_ = 0;  // bytes taken
  std::optional<PickleReader> pickle_;
  std::vector<std::string> keys_;
  std::size_t storage_ = 0;  // index into keys_
  std::string count_;        // of the storage's elements, as it arrives
  std::uint64_t left_ = 0;   // bytes of the storage
};

}  // namespace headlight
