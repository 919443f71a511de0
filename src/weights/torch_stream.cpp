#include "weights/torch_stream.h"
#include "throw_error.h"

#include <algorithm>
#include <cstring>

#include "headlight.h"

namespace headlight {
namespace {

using Kind = PickleReader::Kind;

constexpr std::string_view kMagic{"\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10};
constexpr std::uint64_t kVersion = 1001;
constexpr std::size_t kCountBytes = 8;

}  // namespace

void TorchStreamReader::feed(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (part_ < Part::storages) {
      read_pickle(bytes);
    } else if (part_ == Part::storages) {
      read_storage(bytes);
    } else {
      throw_error(ErrorCode::E_MODEL_CORRUPT, "The file goes on after its last storage",
                  {.file = file_, .offset = position_});
    }
  }
}

void TorchStreamReader::end() {
  if (part_ == Part::done) return;
  throw_error(ErrorCode::E_MODEL_TRUNCATED, {"The file ends after ", position_, " bytes"},
              {.file = file_, .tensor = storages_.missing(), .offset = position_});
}

void TorchStreamReader::read_pickle(std::span<const std::byte>& bytes) {
  if (!pickle_) pickle_.emplace(file_, position_);
  const std::size_t before = bytes.size();
  const bool ended = pickle_->feed(bytes);
  position_ += before - bytes.size();
  if (!ended) return;
  take(*pickle_);
  pickle_.reset();
  part_ = static_cast<Part>(static_cast<int>(part_) + 1);
  if (part_ == Part::storages) next_storage();
}

void TorchStreamReader::take(const PickleReader& pickle) {
  const PickleReader::Value& result = pickle.result();
  const auto refuse = [&](const TextPiece& what) {
    throw_error(ErrorCode::E_UNSUPPORTED_WEIGHTS, what, {.file = file_, .offset = position_ - pickle.size()});
  };
  switch (part_) {
    case Part::magic:
      if (result.kind != Kind::big_integer || pickle.text(result) != kMagic) {
        refuse("The file is a pickle, but none that torch.save wrote");
      }
      break;
    case Part::version:
      if (result.kind != Kind::integer || result.number != kVersion) {
        refuse({"The version of the file is not ", kVersion});
      }
      break;
    case Part::machine: {
      bool little = false;
      if (result.kind == Kind::dictionary) {
        const PickleReader::Sequence& items = pickle.sequence(result);
        for (std::size_t i = 0; i < items.size(); i += 2) {
          if (items[i].kind == Kind::text && pickle.text(items[i]) == "little_endian") {
            little = items[i + 1].kind == Kind::boolean && items[i + 1].number == 1;
          }
        }
      }
      if (!little) refuse("The file's numbers are not little-endian");
      break;
    }
    case Part::state_dict:
      storages_.open(pickle);
      break;
    default:
      take_keys(pickle);
  }
}

void TorchStreamReader::take_keys(const PickleReader& pickle) {
  const PickleReader::Value& result = pickle.result();
  const auto is_text = [](const PickleReader::Value& value) { return value.kind == Kind::text; };
  if (result.kind != Kind::sequence ||
      !std::all_of(pickle.sequence(result).begin(), pickle.sequence(result).end(), is_text)) {
    throw_error(ErrorCode::E_MODEL_CORRUPT, "The file lacks the list of its storages",
                {.file = file_, .offset = position_ - pickle.size()});
  }
  for (const PickleReader::Value& key : pickle.sequence(result)) keys_.push_back(pickle.text(key));
}

// Makes the storage at storage_ the one to read.
void TorchStreamReader::next_storage() {
  count_.clear();
  left_ = 0;
  if (storage_ < keys_.size()) return storages_.begin(keys_[storage_], position_);
  if (const std::string tensor = storages_.missing(); !tensor.empty()) {
    throw_error(ErrorCode::E_MODEL_CORRUPT, "The file does not list the tensor's storage",
                {.file = file_, .tensor = tensor});
  }
  part_ = Part::done;
}

void TorchStreamReader::read_storage(std::span<const std::byte>& bytes) {
  if (count_.size() < kCountBytes) {
    const std::size_t count = std::min(kCountBytes - count_.size(), bytes.size());
    count_.append(reinterpret_cast<const char*>(bytes.data()), count);
    bytes = bytes.subspan(count);
    position_ += count;
    if (count_.size() < kCountBytes) return;
    std::uint64_t elements = 0;
    std::memcpy(&elements, count_.data(), kCountBytes);
    if (elements != storages_.elements()) {
      throw_error(ErrorCode::E_MODEL_CORRUPT,
                  {"The storage has ", elements, " elements, the pickle says ", storages_.elements()},
                  {.file = file_, .offset = position_ - kCountBytes});
    }
    left_ = storages_.size();
  }
  const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  storages_.feed(bytes.first(count));
  bytes = bytes.subspan(count);
  position_ += count;
  left_ -= count;
  if (left_ > 0) return;
  storages_.finish();
  ++storage_;
  next_storage();
}

}  // namespace headlight
