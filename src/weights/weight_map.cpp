#include "weights/weight_map.h"
#include "throw_error.h"

#include <algorithm>
#include <cassert>

#include "headlight.h"
#include "weights/quantise.h"

namespace headlight {
namespace {

// As TensorFlow's BERT named them; transformers reads these names in every family.
constexpr std::pair<std::string_view, std::string_view> kOldNames[] = {
    {"LayerNorm.gamma", "LayerNorm.weight"}, {"LayerNorm.beta", "LayerNorm.bias"}};

}  // namespace

void VectorSink::write(std::size_t first, std::span<const float> values) {
  assert(first + values.size() <= destination_.size());
  std::copy(values.begin(), values.end(), destination_.begin() + static_cast<std::ptrdiff_t>(first));
}

void MatrixSink::begin(std::size_t rows, std::size_t columns, Form stored, Form kept) {
  rows_ = rows;
  columns_ = columns;
  stored_ = stored;
  kept_ = kept;
  row_.clear();
  row_.reserve(columns);
  if (kept == Form::codes) row_scales_.resize(rows);
  allocate();
}

TensorSink& MatrixSink::begin_scales(std::size_t rows) {
  row_scales_.resize(std::max(row_scales_.size(), rows));
  return scale_sink_;
}

void MatrixSink::write(std::size_t first, std::span<const float> values) {
  std::size_t row = first / columns_;
  while (!values.empty()) {
    const std::size_t count = std::min(columns_ - row_.size(), values.size());
    row_.insert(row_.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
    values = values.subspan(count);
    if (row_.size() < columns_) return;
    if (stored_ == Form::values && kept_ == Form::codes) row_scales_[row] = quantise_row(row_, row_);
    set_row(row++, row_);
    row_.clear();
  }
}

namespace {

// A matrix whose rows are those of several matrices, one after the other.
class StackedMatrix final : public MatrixSink {
 public:
  explicit StackedMatrix(std::vector<WeightMap::Stacked<MatrixSink>> parts) : parts_(std::move(parts)) {}

  void finish() override {
    std::size_t first = 0;
    for (const auto& [part, rows] : parts_) {
      if (!row_scales_.empty()) {
        part->begin_scales(rows).write(0, std::span(row_scales_).subspan(first, rows));
      }
      part->finish();
      first += rows;
    }
    row_scales_ = {};
  }

  std::size_t bytes_for(std::size_t, std::size_t columns, Form kept) const override {
    std::size_t bytes = 0;
    for (const auto& [part, rows] : parts_) bytes += part->bytes_for(rows, columns, kept);
    return bytes;
  }

 protected:
  // Rows reach the parts as set_row() has them: as codes where they arrive or are kept as such.
  void allocate() override {
    const bool values = stored() == Form::values && kept() == Form::values;
    for (const auto& [part, rows] : parts_) {
      part->begin(rows, columns(), values ? Form::values : Form::codes, kept());
    }
  }
  void set_row(std::size_t row, std::span<const float> values) override {
    auto part = parts_.begin();
    for (; row >= part->rows; ++part) row -= part->rows;
    part->destination->write(row * columns(), values);
  }

 private:
  std::vector<WeightMap::Stacked<MatrixSink>> parts_;
};

// A vector that is several vectors, one after the other.
class StackedVector final : public TensorSink {
 public:
  explicit StackedVector(std::vector<WeightMap::Stacked<std::vector<float>>> parts)
      : parts_(std::move(parts)) {
    for (const auto& [part, size] : parts_) part->resize(size);
  }

  void write(std::size_t first, std::span<const float> values) override {
    for (const auto& [part, size] : parts_) {
      if (first < size && !values.empty()) {
        const std::size_t count = std::min(size - first, values.size());
        std::copy_n(values.begin(), count, part->begin() + static_cast<std::ptrdiff_t>(first));
        values = values.subspan(count);
        first += count;
      }
      first -= std::min(first, size);
    }
  }

 private:
  std::vector<WeightMap::Stacked<std::vector<float>>> parts_;
};

template <typename Part>
std::size_t rows_of(const std::vector<WeightMap::Stacked<Part>>& parts) {
  std::size_t rows = 0;
  for (const auto& part : parts) rows += part.rows;
  return rows;
}

}  // namespace

void WeightMap::add_vector(std::string name, std::size_t size, std::vector<float>& destination, Need need) {
  add_vector(std::move(name), std::vector<std::size_t>{size}, destination, need);
}

void WeightMap::add_vector(std::string name, std::vector<std::size_t> shape, std::vector<float>& destination,
                           Need need) {
  add({.name = std::move(name),
       .shape = std::move(shape),
       .need = need,
       .vector = &destination,
       .vector_sink = std::make_unique<VectorSink>(destination)});
}

void WeightMap::add_matrix(std::string name, std::size_t rows, std::size_t columns, MatrixSink& destination,
                           Need need, MatrixSink::Form most) {
  destination.set_kernels(kernels_);
  add({.name = std::move(name),
       .shape = {rows, columns},
       .need = need,
       .matrix = &destination,
       .most = most});
}

void WeightMap::add_stacked(std::string name, std::size_t columns, std::vector<Stacked<MatrixSink>> parts) {
  const std::size_t rows = rows_of(parts);
  for (const auto& part : parts) part.destination->set_kernels(kernels_);
  auto stack = std::make_unique<StackedMatrix>(std::move(parts));
  MatrixSink* const matrix = stack.get();
  add({.name = std::move(name),
       .shape = {rows, columns},
       .need = Need::required,
       .matrix = matrix,
       .stack = std::move(stack)});
}

void WeightMap::add_stacked(std::string name, std::vector<Stacked<std::vector<float>>> parts) {
  const std::size_t rows = rows_of(parts);
  add({.name = std::move(name),
       .shape = {rows},
       .need = Need::required,
       .vector_sink = std::make_unique<StackedVector>(std::move(parts))});
}

std::vector<WeightMap::Wanted> WeightMap::wanted() const {
  std::vector<Wanted> wanted;
  for (const Slot& slot : slots_) wanted.push_back({slot.name, slot.shape, slot.need});
  return wanted;
}

void WeightMap::add(Slot slot) {
  [[maybe_unused]] const bool is_new = index_.emplace(slot.name, slots_.size()).second;
  assert(is_new);
  slots_.push_back(std::move(slot));
}

std::pair<const WeightMap::Slot*, WeightMap::Part> WeightMap::find(std::string_view checkpoint_name) const {
  std::string name(checkpoint_name.starts_with(prefix_) ? checkpoint_name.substr(prefix_.size())
                                                        : checkpoint_name);
  Part part = Part::values;
  if (name.ends_with(kCodesSuffix)) part = Part::codes;
  if (name.ends_with(kScalesSuffix)) part = Part::scales;
  if (part == Part::codes) name.resize(name.size() - kCodesSuffix.size());
  if (part == Part::scales) name.resize(name.size() - kScalesSuffix.size());
  for (const auto& [old_part, new_part] : kOldNames) {
    if (name.ends_with(old_part)) name.replace(name.size() - old_part.size(), old_part.size(), new_part);
  }
  const auto found = index_.find(name);
  if (found == index_.end()) return {nullptr, part};
  return {&slots_[found->second], part};
}

MatrixSink::Form WeightMap::kept(const Slot& slot) const {
  return is_quantisable(slot.shape) ? std::min(kept_, slot.most) : MatrixSink::Form::values;
}

TensorSink* WeightMap::open(const TensorEntry& tensor, const std::string& file) {
  const auto [found, part] = find(tensor.name);
  if (!found) return nullptr;
  Slot& slot = slots_[index_.at(found->name)];
  const FaultPlace place{.file = file, .tensor = tensor.name};

  const bool wants_scales = part == Part::scales;
  const auto wanted = std::span(slot.shape).first(wants_scales ? 1 : slot.shape.size());
  if (!std::equal(wanted.begin(), wanted.end(), tensor.shape.begin(), tensor.shape.end())) {
    throw_error(
        ErrorCode::E_SHAPE_MISMATCH,
        {"The shape is ", shape_text(tensor.shape), " where config.json asks for ", shape_text(wanted)},
        place);
  }
  const bool right_type = part == Part::codes ? slot.matrix && tensor.dtype == DType::I8
                                              : is_decodable(tensor.dtype) && tensor.dtype != DType::I8;
  if (!right_type || (wants_scales && !slot.matrix)) {
    throw_error(ErrorCode::E_UNSUPPORTED_DTYPE,
                {"Weights of type ", dtype_name(tensor.dtype), " are not supported here"}, place);
  }
  bool& taken = wants_scales ? slot.has_scales : part == Part::codes ? slot.has_codes : slot.has_values;
  const bool other_form = part == Part::values ? slot.has_codes || slot.has_scales : slot.has_values;
  if (taken && tensor.tied) return nullptr;
  if (taken || other_form) {
    throw_error(ErrorCode::E_MODEL_CORRUPT, "The tensor is there twice, under two names", place);
  }
  taken = true;
  if (!slot.matrix) {
    if (slot.vector) slot.vector->resize(static_cast<std::size_t>(tensor.elements()));
    return slot.vector_sink.get();
  }
  if (wants_scales) return &slot.matrix->begin_scales(slot.shape[0]);
  slot.matrix->begin(slot.shape[0], slot.shape[1],
                     part == Part::codes ? MatrixSink::Form::codes : MatrixSink::Form::values, kept(slot));
  return slot.matrix;
}

void WeightMap::finish(const std::string& file) {
  for (Slot& slot : slots_) {
    const bool complete = slot.has_values || (slot.has_codes && slot.has_scales);
    if (!complete && (slot.need == Need::required || slot.has_codes || slot.has_scales)) {
      throw_error(ErrorCode::E_MISSING_TENSOR, "The weights lack this tensor",
                  {.file = file, .tensor = {slot.name, slot.has_codes ? kScalesSuffix : std::string_view()}});
    }
    if (complete && slot.matrix) slot.matrix->finish();
  }
}

std::uint64_t WeightMap::bytes_for(std::span<const TensorEntry> tensors) const {
  std::uint64_t bytes = 0;
  std::vector<bool> counted(slots_.size());
  for (const TensorEntry& tensor : tensors) {
    const auto [slot, part] = find(tensor.name);
    if (!slot) continue;
    const auto place = static_cast<std::size_t>(slot - slots_.data());
    if (tensor.tied && counted[place]) continue;
    counted[place] = true;
    const bool matrix = slot->matrix && part != Part::scales;
    // A wrong shape is refused later; its size must not be asked for before.
    const auto wanted = std::span(slot->shape).first(part == Part::scales ? 1 : slot->shape.size());
    if (!std::equal(wanted.begin(), wanted.end(), tensor.shape.begin(), tensor.shape.end())) continue;
    bytes += matrix ? slot->matrix->bytes_for(slot->shape[0], slot->shape[1], kept(*slot))
                    : tensor.elements() * sizeof(float);
  }
  return bytes;
}

}  // namespace headlight
