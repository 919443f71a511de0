#include "weights/safetensors.h"
#include "concat.h"
#include "heap_sort.h"
#include "json_document.h"
#include "json_text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "headlight.h"
#include "throw_error.h"

namespace headlight {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // the format's own limit
constexpr std::string_view kMetadata = "__metadata__";

[[noreturn]] void fail_corrupt(const std::string& file, const TextPiece& message,
                               const TextPiece& tensor = {}) {
  throw_error(ErrorCode::E_MODEL_CORRUPT, message, {.file = file, .tensor = tensor});
}

Json parse_object(std::string_view text, const std::string& file) {
  Json header = parse_json(text, {.code = ErrorCode::E_MODEL_CORRUPT, .file = file, .unique_keys = true});
  if (!header.is_object()) fail_corrupt(file, "The header is not a JSON object");
  return header;
}

TensorEntry parse_entry(const Json& value, const std::string& file) {
  const std::string& name = value.key();
  const Json *dtype_name = value.find("dtype"), *shape = value.find("shape"),
             *offsets = value.find("data_offsets");
  const auto all_sizes = [](const Json* array) {
    return array && array->is_array() &&
           std::all_of(array->items().begin(), array->items().end(),
                       [](const Json& size) { return size.is_natural(); });
  };
  if (!dtype_name || !dtype_name->is_string() || !all_sizes(shape) || !all_sizes(offsets) ||
      offsets->items().size() != 2) {
    fail_corrupt(file, "The header's entry lacks a dtype, a shape or two data_offsets", name);
  }
  const std::string& dtype = dtype_name->text();
  TensorEntry tensor{.name = name, .dtype = DType::F32, .shape = {}};
  if (const auto known = dtype_from_name(dtype)) {
    tensor.dtype = *known;
  } else {
    throw_error(ErrorCode::E_UNSUPPORTED_DTYPE, {"The element type ", dtype, " is not known"},
                {.file = file, .tensor = name});
  }
  for (const Json& dimension : shape->items()) {
    const std::uint64_t size = dimension.natural();
    if (size > std::numeric_limits<std::size_t>::max()) fail_corrupt(file, "A dimension is too large", name);
    tensor.shape.push_back(static_cast<std::size_t>(size));
  }
  tensor.begin = offsets->items()[0].natural();
  tensor.end = offsets->items()[1].natural();
  const auto bytes = byte_count(tensor);
  if (tensor.end < tensor.begin || !bytes || tensor.end - tensor.begin != *bytes) {
    fail_corrupt(file,
                 {"The data_offsets [", tensor.begin, ", ", tensor.end, "] do not fit ", dtype, " ",
                  shape_text(tensor.shape)},
                 name);
  }
  return tensor;
}

}  // namespace

SafetensorsHeader SafetensorsHeader::parse(std::string_view text, const std::string& file) {
  SafetensorsHeader header;
  header.data_offset = kLengthBytes + text.size();
  const Json object = parse_object(text, file);
  for (const Json& value : object.items()) {
    if (value.key() != kMetadata) {
      header.tensors.push_back(parse_entry(value, file));
      continue;
    }
    if (!value.is_object()) fail_corrupt(file, "The header's __metadata__ is not an object");
    for (const Json& entry : value.items()) {
      if (!entry.is_string())
        fail_corrupt(file, "The header's __metadata__ holds something else than strings");
      header.metadata.emplace(entry.key(), entry.text());
    }
  }
  heap_sort(header.tensors.begin(), header.tensors.end(), [](const TensorEntry& a, const TensorEntry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  for (const TensorEntry& tensor : header.tensors) {
    if (tensor.begin < header.data_size)
      fail_corrupt(file, "The tensor overlaps the one before it", tensor.name);
    if (tensor.begin > header.data_size) fail_corrupt(file, "There is a gap before the tensor", tensor.name);
    header.data_size = tensor.end;
  }
  return header;
}

std::string SafetensorsHeader::write(std::vector<TensorEntry>& tensors,
                                     const std::map<std::string, std::string>& metadata) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  if (!metadata.empty()) {
    json.key(kMetadata);
    json.begin_object();
    for (const auto& [key, value] : metadata) {
      json.key(key);
      json.string(value);
    }
    json.end_object();
  }
  std::uint64_t offset = 0;
  for (TensorEntry& tensor : tensors) {
    tensor.begin = offset;
    tensor.end = offset += byte_count(tensor).value();
    json.key(tensor.name);
    json.begin_object();
    json.key("dtype");
    json.string(dtype_name(tensor.dtype));
    json.key("shape");
    json.begin_array();
    for (const std::size_t size : tensor.shape) json.natural(size);
    json.end_array();
    json.key("data_offsets");
    json.begin_array();
    json.natural(tensor.begin);
    json.natural(tensor.end);
    json.end_array();
    json.end_object();
  }
  json.end_object();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // the tensors start at a multiple of eight bytes
  const std::uint64_t length = text.size();
  std::string bytes(kLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  return bytes + text;
}

SafetensorsReader::SafetensorsReader(std::string file, std::optional<std::uint64_t> size,
                                     TensorVisitor visitor)
    : file_(std::move(file)), size_(size), visitor_(std::move(visitor)) {}

void SafetensorsReader::feed(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (!header_) {
      read_header(bytes);
    } else if (tensor_ < header_->tensors.size()) {
      read_tensor(bytes);
    } else {
      throw_error(ErrorCode::E_MODEL_CORRUPT, "The file goes on after its last tensor",
                  {.file = file_, .offset = position_});
    }
  }
}

void SafetensorsReader::end() {
  const bool complete = header_ && tensor_ == header_->tensors.size();
  if (complete) return;
  if (!header_) {
    throw_error(ErrorCode::E_MODEL_TRUNCATED, {"The file ends after ", position_, " bytes"},
                {.file = file_, .offset = position_});
  }
  throw_error(ErrorCode::E_MODEL_TRUNCATED,
              {"The file ends after ", position_, " bytes of ", header_->data_offset + header_->data_size},
              {.file = file_, .tensor = header_->tensors[tensor_].name, .offset = position_});
}

void SafetensorsReader::read_header(std::span<const std::byte>& bytes) {
  const std::uint64_t wanted = header_length_ == 0 ? kLengthBytes : header_length_;
  const std::size_t count =
      static_cast<std::size_t>(std::min<std::uint64_t>(wanted - pending_.size(), bytes.size()));
  pending_.append(reinterpret_cast<const char*>(bytes.data()), count);
  bytes = bytes.subspan(count);
  position_ += count;
  if (pending_.size() < wanted) return;
  if (header_length_ == 0) {
    check_length();
    std::memcpy(&header_length_, pending_.data(), kLengthBytes);
    pending_.clear();
    return;
  }
  header_ = SafetensorsHeader::parse(std::exchange(pending_, {}), file_);
  if (size_ && header_->data_offset + header_->data_size != *size_) {
    const std::uint64_t expected = header_->data_offset + header_->data_size;
    throw_error(*size_ < expected ? ErrorCode::E_MODEL_TRUNCATED : ErrorCode::E_MODEL_CORRUPT,
                {"The header describes ", expected, " bytes, the file has ", *size_}, {.file = file_});
  }
  if (visitor_.tensors) visitor_.tensors(header_->tensors);
  start_tensor();
}

void SafetensorsReader::check_length() const {
  refuse_other_files(pending_, file_);
  std::uint64_t length = 0;
  std::memcpy(&length, pending_.data(), kLengthBytes);
  const std::uint64_t most =
      size_ ? std::min(kMaxHeaderBytes, *size_ - std::min(*size_, kLengthBytes)) : kMaxHeaderBytes;
  if (length < 2 || length > most) {
    throw_error(ErrorCode::E_MODEL_CORRUPT,
                {"The header would be ", length, " bytes long; the file allows ", most},
                {.file = file_, .offset = 0});
  }
}

// Makes the tensor at tensor_ the current one, passing over those without elements.
void SafetensorsReader::start_tensor() {
  for (; tensor_ < header_->tensors.size(); ++tensor_) {
    const TensorEntry& tensor = header_->tensors[tensor_];
    element_ = 0;
    sink_ = visitor_.tensor(tensor);
    if (tensor.begin < tensor.end) return;
    if (visitor_.finished) visitor_.finished(tensor);
  }
}

void SafetensorsReader::read_tensor(std::span<const std::byte>& bytes) {
  const TensorEntry& tensor = header_->tensors[tensor_];
  const std::size_t size = dtype_size(tensor.dtype);
  const auto advance = [&](std::span<const std::byte> elements) {
    if (sink_) {
      std::array<float, 1024> values;
      for (std::size_t done = 0; done < elements.size();) {
        const std::size_t count = std::min(values.size(), (elements.size() - done) / size);
        const std::span<float> decoded = std::span(values).first(count);
        decode(tensor.dtype, elements.subspan(done, count * size), decoded);
        sink_->write(element_ + done / size, decoded);
        done += count * size;
      }
    }
    element_ += elements.size() / size;
  };
  const auto take = [&](std::size_t count) {
    const auto taken = bytes.first(count);
    bytes = bytes.subspan(count);
    position_ += count;
    return taken;
  };

  if (!pending_.empty()) {  // an element that the chunk before began
    const auto rest = take(std::min(size - pending_.size(), bytes.size()));
    pending_.append(reinterpret_cast<const char*>(rest.data()), rest.size());
    if (pending_.size() < size) return;
    advance(std::as_bytes(std::span(pending_)));
    pending_.clear();
  } else {
    const std::size_t left = (tensor.elements() - element_) * size;
    const auto part = take(std::min(left, bytes.size()));
    const std::size_t whole = part.size() / size * size;
    advance(part.first(whole));
    pending_.assign(reinterpret_cast<const char*>(part.data()) + whole, part.size() - whole);
  }
  if (element_ == tensor.elements() && pending_.empty()) {
    if (visitor_.finished) visitor_.finished(tensor);
    ++tensor_;
    start_tensor();
  }
}

}  // namespace headlight
