#include "weights/torch_zip.h"
#include "throw_error.h"

#include <algorithm>
#include <cstring>

#include "headlight.h"
#include "weights/crc32.h"

namespace headlight {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kDescriptor = 0x08074b50;
constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
constexpr std::uint32_t kWideEnd = 0x06064b50;      // of the directory, in zip64
constexpr std::uint32_t kWideLocator = 0x07064b50;  // of the record before
constexpr std::uint32_t kEnd = 0x06054b50;          // of the directory

// Bytes of the records without their names, extra fields and comments.
constexpr std::size_t kLocalHeaderBytes = 30;
constexpr std::size_t kDirectoryEntryBytes = 46;
constexpr std::size_t kWideEndBytes = 56;
constexpr std::size_t kWideLocatorBytes = 20;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kDescriptorBytes = 16;
constexpr std::size_t kWideDescriptorBytes = 24;

constexpr std::uint16_t kEncrypted = 1, kDescribed = 8;  // flags
constexpr std::uint16_t kWideExtra = 1;                  // extra field with sizes of 64 bits
constexpr std::uint64_t kSeeWide = 0xFFFFFFFF;           // in place of a size that stands there

constexpr std::string_view kStoragePrefix = "data/";

}  // namespace

void TorchZipReader::fail(const TextPiece& what) const {
  throw_error(ErrorCode::E_MODEL_CORRUPT, what, {.file = file_, .offset = position_});
}

void TorchZipReader::fail_unsupported(const TextPiece& what) const {
  throw_error(ErrorCode::E_UNSUPPORTED_WEIGHTS, what, {.file = file_, .offset = position_});
}

void TorchZipReader::feed(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    switch (part_) {
      case Part::record:
        read_record(bytes);
        break;
      case Part::pickle:
        read_pickle(bytes);
        break;
      case Part::storage:
        read_storage(bytes);
        break;
      case Part::small:
        read_small(bytes);
        break;
      case Part::descriptor:
        read_descriptor(bytes);
        break;
      case Part::done:
        fail("The file goes on after its end");
    }
  }
}

void TorchZipReader::end() {
  if (part_ == Part::done) return;
  throw_error(ErrorCode::E_MODEL_TRUNCATED, {"The file ends after ", position_, " bytes"},
              {.file = file_, .tensor = storages_.missing(), .offset = position_});
}

std::span<const std::byte> TorchZipReader::take(std::span<const std::byte>& bytes, std::uint64_t count) {
  const auto taken = bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(count, bytes.size())));
  bytes = bytes.subspan(taken.size());
  position_ += taken.size();
  return taken;
}

// Fills pending_ up to `size` bytes; whether they are there.
bool TorchZipReader::gather(std::span<const std::byte>& bytes, std::size_t size) {
  if (pending_.size() < size) {
    const auto taken = take(bytes, size - pending_.size());
    pending_.append(reinterpret_cast<const char*>(taken.data()), taken.size());
  }
  return pending_.size() >= size;
}

// The little-endian number at `at` of the record.
template <typename Number>
Number TorchZipReader::field(std::size_t at) const {
  Number number = 0;
  std::memcpy(&number, pending_.data() + at, sizeof(Number));
  return number;
}

// Takes the next number of the zip64 field for one that has no room in the record.
void TorchZipReader::wide_field(std::uint64_t& narrow, std::size_t& at, std::size_t end) const {
  if (narrow != kSeeWide) return;
  if (at + 8 > end) fail("A size of 64 bits is missing");
  narrow = field<std::uint64_t>(at);
  at += 8;
}

void TorchZipReader::read_record(std::span<const std::byte>& bytes) {
  if (!gather(bytes, sizeof(std::uint32_t))) return;
  std::size_t size = 0;
  switch (field<std::uint32_t>(0)) {
    case kLocalHeader:
      if (in_directory_) fail("An entry follows the directory");
      if (!gather(bytes, kLocalHeaderBytes)) return;
      size = kLocalHeaderBytes + field<std::uint16_t>(26) + field<std::uint16_t>(28);
      if (gather(bytes, size)) open_entry();
      return;
    case kDirectoryEntry:
      if (!in_directory_) begin_directory();
      in_directory_ = true;
      if (!gather(bytes, kDirectoryEntryBytes)) return;
      size = kDirectoryEntryBytes + field<std::uint16_t>(28) + field<std::uint16_t>(30) +
             field<std::uint16_t>(32);
      if (!gather(bytes, size)) return;
      check_directory_entry();
      break;
    case kWideEnd:
      if (!gather(bytes, kWideEndBytes)) return;
      if (field<std::uint64_t>(4) != kWideEndBytes - 12) fail("The directory's end has a size of its own");
      break;
    case kWideLocator:
      if (!gather(bytes, kWideLocatorBytes)) return;
      break;
    case kEnd:
      if (!gather(bytes, kEndBytes) || !gather(bytes, kEndBytes + field<std::uint16_t>(20))) return;
      if (!in_directory_ || listed_ != entries_.size()) fail("The directory does not list all entries");
      part_ = Part::done;
      break;
    default:
      fail("There is no record of a zip archive");
  }
  pending_.clear();
}

void TorchZipReader::open_entry() {
  const auto flags = field<std::uint16_t>(6);
  const auto method = field<std::uint16_t>(8);
  const std::size_t name_size = field<std::uint16_t>(26);
  Entry entry{.name = pending_.substr(kLocalHeaderBytes, name_size),
              .offset = position_ - pending_.size(),
              .size = {},
              .crc = field<std::uint32_t>(14),
              .described = (flags & kDescribed) != 0};
  if ((flags & kEncrypted) != 0) fail_unsupported({"The archive's entry ", entry.name, " is encrypted"});
  if (method != 0) fail_unsupported({"The archive's entry ", entry.name, " is compressed"});
  if (!entry.described) {
    std::uint64_t size = field<std::uint32_t>(22);
    const std::size_t end = pending_.size();
    for (std::size_t at = kLocalHeaderBytes + name_size; size == kSeeWide && at + 4 <= end;) {
      const std::size_t next = at + 4 + field<std::uint16_t>(at + 2);
      std::size_t value = at + 4;
      if (field<std::uint16_t>(at) == kWideExtra) wide_field(size, value, std::min(next, end));
      at = next;
    }
    entry.size = size;
  }
  const std::size_t slash = entry.name.find('/');
  if (slash == std::string::npos)
    fail_unsupported({"The archive's entry ", entry.name, " is none of a checkpoint"});
  if (entries_.empty()) folder_ = entry.name.substr(0, slash + 1);
  if (!entry.name.starts_with(folder_))
    fail_unsupported({"The archive's entry ", entry.name, " lies elsewhere"});
  pending_.clear();
  sum_ = 0;
  entries_.push_back(std::move(entry));
  begin_contents(std::string_view(entries_.back().name).substr(folder_.size()));
}

// name: of the last entry, within the archive's folder.
void TorchZipReader::begin_contents(std::string_view name) {
  const Entry& entry = entries_.back();
  if (name == "data.pkl") {
    if (storages_.is_open()) fail("The archive has two data.pkl");
    pickle_.emplace(file_, position_);
    part_ = Part::pickle;
  } else if (name.starts_with(kStoragePrefix)) {
    if (!storages_.is_open()) fail_unsupported("The archive's data.pkl does not come before its storages");
    storages_.begin(std::string(name.substr(kStoragePrefix.size())), position_);
    left_ = storages_.size();
    if (entry.size && *entry.size != left_) {
      fail({"The archive's entry ", entry.name, " has ", *entry.size, " bytes, its tensor ", left_});
    }
    part_ = Part::storage;
    if (left_ == 0) {
      storages_.finish();
      end_contents(0);
    }
  } else if (name.starts_with("code/") || name == "constants.pkl") {
    fail_unsupported("The archive holds TorchScript, not weights alone");
  } else {
    if (entry.size > kMaxSmallEntry)
      fail_unsupported({"The archive's entry ", entry.name, " is none of a checkpoint"});
    part_ = Part::small;
    if (entry.size == 0) end_small();
  }
}

void TorchZipReader::begin_directory() const {
  if (!storages_.is_open()) fail_unsupported("The archive has no data.pkl");
  if (const std::string tensor = storages_.missing(); !tensor.empty()) {
    throw_error(ErrorCode::E_MODEL_CORRUPT, "The archive lacks the tensor's storage",
                {.file = file_, .tensor = tensor, .offset = position_});
  }
}

void TorchZipReader::check_directory_entry() {
  const std::size_t name_size = field<std::uint16_t>(28);
  std::uint64_t size = field<std::uint32_t>(24);
  std::uint64_t packed_size = field<std::uint32_t>(20);
  std::uint64_t offset = field<std::uint32_t>(42);
  const std::size_t end = kDirectoryEntryBytes + name_size + field<std::uint16_t>(30);
  for (std::size_t at = kDirectoryEntryBytes + name_size; at + 4 <= end;) {
    const std::size_t next = at + 4 + field<std::uint16_t>(at + 2);
    if (field<std::uint16_t>(at) == kWideExtra) {
      std::size_t value = at + 4;
      for (std::uint64_t* number : {&size, &packed_size, &offset})
        wide_field(*number, value, std::min(next, end));
    }
    at = next;
  }
  const auto name = std::string_view(pending_).substr(kDirectoryEntryBytes, name_size);
  const bool same = listed_ < entries_.size() && entries_[listed_].name == name &&
                    entries_[listed_].size == size && packed_size == size &&
                    entries_[listed_].offset == offset && entries_[listed_].crc == field<std::uint32_t>(16);
  if (!same) fail({"The archive's directory differs from its entry ", name});
  ++listed_;
}

void TorchZipReader::read_pickle(std::span<const std::byte>& bytes) {
  const std::span<const std::byte> before = bytes;
  const bool ended = pickle_->feed(bytes);
  const auto taken = before.first(before.size() - bytes.size());
  sum_ = crc32(taken, sum_);
  position_ += taken.size();
  if (!ended) return;
  end_contents(pickle_->size());
  storages_.open(*pickle_);
  pickle_.reset();
}

void TorchZipReader::read_storage(std::span<const std::byte>& bytes) {
  const auto taken = take(bytes, left_);
  sum_ = crc32(taken, sum_);
  storages_.feed(taken);
  left_ -= taken.size();
  if (left_ > 0) return;
  end_contents(storages_.size());
  storages_.finish();
}

// An entry of unknown size ends where a descriptor follows that fits what came before.
void TorchZipReader::read_small(std::span<const std::byte>& bytes) {
  const Entry& entry = entries_.back();
  if (entry.size) {
    if (gather(bytes, static_cast<std::size_t>(*entry.size))) end_small();
    return;
  }
  while (!bytes.empty()) {
    gather(bytes, pending_.size() + 1);
    if (ends_with_descriptor()) return end_small();
    if (pending_.size() > kMaxSmallEntry) {
      fail_unsupported({"The archive's entry ", entry.name, " is none of a checkpoint"});
    }
  }
}

bool TorchZipReader::ends_with_descriptor() const {
  for (const std::size_t bytes : {kDescriptorBytes, kWideDescriptorBytes}) {
    if (pending_.size() < bytes || field<std::uint32_t>(pending_.size() - bytes) != kDescriptor) continue;
    const std::size_t size = pending_.size() - bytes;
    const bool wide = bytes == kWideDescriptorBytes;
    const std::uint64_t packed = wide ? field<std::uint64_t>(size + 8) : field<std::uint32_t>(size + 8);
    const std::uint64_t plain = wide ? field<std::uint64_t>(size + 16) : field<std::uint32_t>(size + 12);
    if (packed == size && plain == size &&
        field<std::uint32_t>(size + 4) == crc32(std::as_bytes(std::span(pending_)).first(size))) {
      return true;
    }
  }
  return false;
}

// pending_: the entry and, where it has one, its descriptor.
void TorchZipReader::end_small() {
  Entry& entry = entries_.back();
  if (!entry.size) {
    const bool wide = pending_.size() >= kWideDescriptorBytes &&
                      field<std::uint32_t>(pending_.size() - kDescriptorBytes) != kDescriptor;
    const std::size_t size = pending_.size() - (wide ? kWideDescriptorBytes : kDescriptorBytes);
    entry.crc = field<std::uint32_t>(size + 4);
    entry.size = size;
  }
  const auto contents = std::string_view(pending_).substr(0, static_cast<std::size_t>(*entry.size));
  sum_ = crc32(std::as_bytes(std::span(contents)));
  check_sum();
  if (std::string_view(entry.name).substr(folder_.size()) == "byteorder" && contents != "little") {
    fail_unsupported("The file's numbers are not little-endian");
  }
  pending_.clear();
  part_ = Part::record;
}

// After the last byte of a pickle or a storage.
void TorchZipReader::end_contents(std::uint64_t size) {
  Entry& entry = entries_.back();
  if (entry.described) {
    entry.size = size;
    part_ = Part::descriptor;
    return;
  }
  if (entry.size != size) fail({"The archive's entry ", entry.name, " has a wrong size"});
  check_sum();
  part_ = Part::record;
}

void TorchZipReader::read_descriptor(std::span<const std::byte>& bytes) {
  Entry& entry = entries_.back();
  if (!gather(bytes, kDescriptorBytes)) return;
  const std::uint64_t size = *entry.size;
  if (field<std::uint32_t>(8) != size || field<std::uint32_t>(12) != size) {
    if (!gather(bytes, kWideDescriptorBytes)) return;
    if (field<std::uint64_t>(8) != size || field<std::uint64_t>(16) != size) {
      fail({"The archive's entry ", entry.name, " has a wrong size"});
    }
  }
  if (field<std::uint32_t>(0) != kDescriptor)
    fail({"The archive's entry ", entry.name, " has no descriptor"});
  entry.crc = field<std::uint32_t>(4);
  check_sum();
  pending_.clear();
  part_ = Part::record;
}

void TorchZipReader::check_sum() const {
  const Entry& entry = entries_.back();
  if (entry.crc != sum_) fail({"The archive's entry ", entry.name, " does not have its checksum"});
}

}  // namespace headlight
