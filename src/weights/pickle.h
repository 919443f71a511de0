// The subset of Python's pickle that holds PyTorch's tensors: https://github.com/python/cpython/blob/main/Lib/pickletools.py
// names the opcodes. Nothing is ever called: a global is one of a fixed list, and what it makes is made here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "concat.h"
#include "weights/dtype.h"

namespace headlight {

// A storage that a pickle refers to; its elements lie elsewhere in the file.
struct PickledStorage {
  std::string key;
  DType dtype;
  std::uint64_t elements;
};

// A view of a storage.
struct PickledTensor {
  std::size_t storage;   // index
  std::uint64_t offset;  // of the first element within the storage
  std::vector<std::size_t> shape;
  std::vector<std::uint64_t> strides;  // elements
};

// Reads one pickle that arrives in chunks of any size, and says where it ends. Values refer to each other by index, so
// that no pickle makes them a cycle or a depth.
class PickleReader {
 public:
  // Larger pickles are refused; that of a checkpoint of 1,000 tensors has a quarter of a megabyte.
  static constexpr std::size_t kMaxBytes = std::size_t{2} << 20;

  // begin: of the pickle within the file.
  PickleReader(std::string file, std::uint64_t begin) : file_(std::move(file)), begin_(begin) {}

  // Takes bytes up to the pickle's end from the front of `bytes`; true when that is reached.
  // Throws E_UNSUPPORTED_WEIGHTS for an opcode, a global or a persistent id outside the subset, by name;
  // E_MODEL_CORRUPT for what no pickler writes.
  bool feed(std::span<const std::byte>& bytes);

  std::uint64_t size() const { return position_; }  // bytes taken

  struct Value {
    enum class Kind : std::uint8_t {
      none,
      boolean,
      integer,
      real,
      big_integer,
      text,
      sequence,
      dictionary,
      global,
      storage,
      tensor,
      mark
    };
    Kind kind = Kind::none;
    std::uint64_t number = 0;  // a number in two's complement; of all else the index
  };
  using Kind = Value::Kind;
  using Sequence = std::vector<Value>;

  // After the end.
  const Value& result() const { return stack_.back(); }
  const std::string& text(const Value& value) const {
    return texts_[value.number];
  }  // of a big_integer its bytes
  // Of a dictionary its keys and values in turn.
  const Sequence& sequence(const Value& value) const { return sequences_[value.number]; }
  const PickledTensor& tensor(const Value& value) const { return tensors_[value.number]; }
  std::span<const PickledStorage> storages() const { return storages_; }

 private:
  bool read_opcode();  // false: more bytes are needed
  std::optional<std::string_view> argument(std::size_t at, std::size_t size) const;
  [[noreturn]] void fail(const TextPiece& what) const;
  [[noreturn]] void fail_unsupported(const TextPiece& what) const;

  void push(Kind kind, std::uint64_t number = 0) { stack_.push_back({kind, number}); }
  void push_text(Kind kind, std::string_view bytes);
  void push_sequence(Sequence values, Kind kind = Kind::sequence);
  void push_global(std::string_view name);
  Value pop();
  Sequence pop_to_mark();
  Value& top();
  Sequence& top_dictionary();
  void add_items(const Sequence& items);
  void remember(std::uint64_t index);
  void recall(std::uint64_t index);
  void build();
  void reduce();
  void persist();
  std::uint64_t size_of(const Value& value) const;
  std::size_t add_tensor(const Sequence& arguments);

  std::string file_;
  std::uint64_t begin_;
  std::uint64_t position_ = 0;  // bytes taken
  std::string pending_;         // of an opcode that is not complete
  std::uint64_t opcode_at_ = 0;
  bool ended_ = false;

  std::vector<Value> stack_, memo_;
  std::vector<std::string> texts_;
  std::vector<Sequence> sequences_;
  std::vector<PickledStorage> storages_;
  std::map<std::string, std::uint64_t> storage_by_key_;
  std::vector<PickledTensor> tensors_;
};

}  // namespace headlight
