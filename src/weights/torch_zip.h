// The zip archive of torch.save, read in the order of its bytes: data.pkl comes first and tells the sizes of the
// storages, which the local headers leave to descriptors behind the data; the directory at the end must agree.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "concat.h"
#include "weights/pickle.h"
#include "weights/torch_storages.h"

namespace headlight {

class TorchZipReader : public WeightReader {
 public:
  // Larger entries that are neither pickle nor storage are refused; those of a checkpoint have a few bytes.
  static constexpr std::size_t kMaxSmallEntry = std::size_t{64} << 10;

  TorchZipReader(std::string file, TensorVisitor visitor)
      : file_(file), storages_(std::move(file), std::move(visitor)) {}
  void feed(std::span<const std::byte> bytes) override;
  void end() override;

 private:
  struct Entry {
    std::string name;
    std::uint64_t offset = 0;           // of its local header
    std::optional<std::uint64_t> size;  // unknown until its descriptor, or its contents say it
    std::uint32_t crc = 0;
    bool described = false;  // by a descriptor behind its data
  };
  enum class Part { record, pickle, storage, small, descriptor, done };

  [[noreturn]] void fail(const TextPiece& what) const;
  [[noreturn]] void fail_unsupported(const TextPiece& what) const;
  bool gather(std::span<const std::byte>& bytes, std::size_t size);
  std::span<const std::byte> take(std::span<const std::byte>& bytes, std::uint64_t count);
  template <typename Number>
  Number field(std::size_t at) const;
  void wide_field(std::uint64_t& narrow, std::size_t& at, std::size_t end) const;

  void read_record(std::span<const std::byte>& bytes);
  void open_entry();
  void begin_contents(std::string_view name);
  void check_directory_entry();
  void begin_directory() const;
  void read_pickle(std::span<const std::byte>& bytes);
  void read_storage(std::span<const std::byte>& bytes);
  void read_small(std::span<const std::byte>& bytes);
  bool ends_with_descriptor() const;
  void end_small();
  void read_descriptor(std::span<const std::byte>& bytes);
  void end_contents(std::uint64_t size);
  void check_sum() const;

  std::string file_;
  TorchStorages storages_;
  Part part_ = Part::record;
  std::uint64_t position_ = 0;  // bytes taken
  std::string pending_;         // of a record or a small entry, as it arrives
  std::vector<Entry> entries_;  // in the order of the file; the last is the one being read
  std::size_t listed_ = 0;      // entries that the directory has named
  bool in_directory_ = false;
  std::string folder_;  // that all entries lie in, "archive/"

  std::optional<PickleReader> pickle_;
  std::uint64_t left_ = 0;  // bytes of the storage
  std::uint32_t sum_ = 0;   // of the entry's bytes so far
};

}  // namespace headlight
