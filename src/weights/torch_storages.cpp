#include "weights/torch_storages.h"
#include "throw_error.h"

#include <algorithm>
#include <array>

namespace headlight {
namespace {

constexpr std::size_t kMaxReserved = std::size_t{1} << 24;  // floats of a transposed matrix

// Whether the elements lie in their order; a dimension of 1 may have any stride.
bool is_contiguous(const PickledTensor& tensor) {
  std::uint64_t stride = 1;
  for (std::size_t i = tensor.shape.size(); i-- > 0;) {
    if (tensor.shape[i] == 0) return true;
    if (tensor.shape[i] == 1) continue;
    if (tensor.strides[i] != stride) return false;
    stride *= tensor.shape[i];
  }
  return true;
}

// Whether the elements are those of a matrix column by column, as checkpoints have it that came from TensorFlow.
bool is_transposed(const PickledTensor& tensor) {
  return tensor.shape.size() == 2 && tensor.strides[0] == 1 && tensor.strides[1] == tensor.shape[0];
}

}  // namespace

void TorchStorages::fail(ErrorCode code, const TextPiece& what, const std::string& tensor) const {
  throw_error(code, what, {.file = file_, .tensor = tensor});
}

TorchStorages::View TorchStorages::view_of(const std::string& name, const PickledTensor& tensor) const {
  View view{.entry = {.name = name, .dtype = storages_[tensor.storage].about.dtype, .shape = tensor.shape},
            .offset = tensor.offset};
  if (!is_contiguous(tensor)) {
    view.transposed = is_transposed(tensor);
    if (!view.transposed)
      fail(ErrorCode::E_UNSUPPORTED_WEIGHTS, "The tensor's elements are not in order", name);
  }
  const auto bytes = byte_count(view.entry);
  if (!bytes) fail(ErrorCode::E_MODEL_CORRUPT, "The shape is too large", name);
  view.entry.begin = tensor.offset * dtype_size(view.entry.dtype);
  view.entry.end = view.entry.begin + *bytes;
  return view;
}

void TorchStorages::open(const PickleReader& pickle) {
  using Kind = PickleReader::Kind;
  const PickleReader::Value& root = pickle.result();
  if (root.kind != Kind::dictionary) {
    fail(ErrorCode::E_UNSUPPORTED_WEIGHTS, "The pickle holds no dictionary of tensors", {});
  }
  for (const PickledStorage& storage : pickle.storages()) {
    index_.emplace(storage.key, storages_.size());
    storages_.push_back({.about = storage});
  }
  std::map<std::string, std::uint64_t> names, seen;
  const PickleReader::Sequence& items = pickle.sequence(root);
  for (std::size_t i = 0; i < items.size(); i += 2) {
    const PickleReader::Value& key = items[i];
    const PickleReader::Value& value = items[i + 1];
    if (key.kind != Kind::text) {
      fail(ErrorCode::E_UNSUPPORTED_WEIGHTS, "The dictionary has a key that is no text", {});
    }
    const std::string& name = pickle.text(key);
    if (value.kind != Kind::tensor) {
      fail(ErrorCode::E_UNSUPPORTED_WEIGHTS, "The dictionary's entry is no tensor", name);
    }
    if (!names.emplace(name, i).second) fail(ErrorCode::E_MODEL_CORRUPT, "The tensor is there twice", name);
    const PickledTensor& tensor = pickle.tensor(value);
    View view = view_of(name, tensor);
    const std::string elements = std::to_string(tensor.storage) + (view.transposed ? "t" : " ") +
                                 std::to_string(view.offset) + shape_text(view.entry.shape);
    view.entry.tied = !seen.emplace(elements, i).second;
    storages_[tensor.storage].views.push_back(views_.size());
    views_.push_back(std::move(view));
  }
  open_ = true;
  if (!visitor_.tensors) return;
  std::vector<TensorEntry> entries;
  for (const View& view : views_) entries.push_back(view.entry);
  visitor_.tensors(entries);
}

void TorchStorages::begin(const std::string& key, std::uint64_t offset) {
  const auto found = index_.find(key);
  if (found == index_.end() || storages_[found->second].done) {
    throw_error(ErrorCode::E_MODEL_CORRUPT,
                {"The storage ", key, (found == index_.end() ? " belongs to no tensor" : " is there twice")},
                {.file = file_, .offset = offset});
  }
  current_ = static_cast<std::size_t>(found->second);
  element_ = 0;
  for (const std::size_t i : storages_[current_].views) {
    View& view = views_[i];
    view.sink = visitor_.tensor(view.entry);
    // A size that only the pickle tells is not asked for at once.
    if (view.sink && view.transposed) view.columns.reserve(std::min(view.entry.elements(), kMaxReserved));
  }
}

std::uint64_t TorchStorages::size() const {
  return storages_[current_].about.elements * dtype_size(storages_[current_].about.dtype);
}

void TorchStorages::feed(std::span<const std::byte> bytes) {
  const DType dtype = storages_[current_].about.dtype;
  const std::size_t size = dtype_size(dtype);
  const auto& views = storages_[current_].views;
  const bool wanted =
      std::any_of(views.begin(), views.end(), [&](std::size_t i) { return views_[i].sink != nullptr; });
  if (!wanted) return;
  const auto advance = [&](std::span<const std::byte> elements) {
    std::array<float, 1024> values;
    for (std::size_t done = 0; done < elements.size();) {
      const std::size_t count = std::min(values.size(), (elements.size() - done) / size);
      const std::span<float> decoded = std::span(values).first(count);
      decode(dtype, elements.subspan(done, count * size), decoded);
      write(element_, decoded);
      element_ += count;
      done += count * size;
    }
  };
  if (!pending_.empty()) {  // an element that the chunk before began
    const auto rest = bytes.first(std::min(size - pending_.size(), bytes.size()));
    pending_.append(reinterpret_cast<const char*>(rest.data()), rest.size());
    bytes = bytes.subspan(rest.size());
    if (pending_.size() < size) return;
    advance(std::as_bytes(std::span(pending_)));
    pending_.clear();
  }
  const std::size_t whole = bytes.size() / size * size;
  advance(bytes.first(whole));
  pending_.assign(reinterpret_cast<const char*>(bytes.data()) + whole, bytes.size() - whole);
}

// values: elements first … of the storage.
void TorchStorages::write(std::size_t first, std::span<const float> values) {
  for (const std::size_t i : storages_[current_].views) {
    View& view = views_[i];
    const std::uint64_t begin = std::max<std::uint64_t>(first, view.offset);
    const std::uint64_t end =
        std::min<std::uint64_t>(first + values.size(), view.offset + view.entry.elements());
    if (!view.sink || begin >= end) continue;
    const auto part =
        values.subspan(static_cast<std::size_t>(begin - first), static_cast<std::size_t>(end - begin));
    if (view.transposed) {
      view.columns.insert(view.columns.end(), part.begin(), part.end());
    } else {
      view.sink->write(static_cast<std::size_t>(begin - view.offset), part);
    }
  }
}

void TorchStorages::finish() {
  for (const std::size_t i : storages_[current_].views) {
    View& view = views_[i];
    if (view.sink && view.transposed) write_transposed(view);
    std::vector<float>().swap(view.columns);
    if (visitor_.finished) visitor_.finished(view.entry);
  }
  storages_[current_].done = true;
}

// A few rows at a time, so that each part of the columns is read once.
void TorchStorages::write_transposed(const View& view) {
  constexpr std::size_t kRows = 16;
  const std::size_t rows = view.entry.shape[0];
  const std::size_t columns = view.entry.shape[1];
  std::vector<float> tile(kRows * columns);
  for (std::size_t first = 0; first < rows; first += kRows) {
    const std::size_t count = std::min(kRows, rows - first);
    for (std::size_t column = 0; column < columns; ++column) {
      const float* from = view.columns.data() + column * rows + first;
      for (std::size_t row = 0; row < count; ++row) tile[row * columns + column] = from[row];
    }
    view.sink->write(first * columns, std::span(tile).first(count * columns));
  }
}

std::string TorchStorages::missing() const {
  for (const Storage& storage : storages_) {
    if (!storage.done && !storage.views.empty()) return views_[storage.views.front()].entry.name;
  }
  return {};
}

}  // namespace headlight
