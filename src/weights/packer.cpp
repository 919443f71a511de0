// Quantises a checkpoint to int8 (docs/format.md).
#include <cmath>
#include <map>
#include <memory>

#include "headlight.h"
#include "throw_error.h"
#include "weights/quantise.h"
#include "weights/safetensors.h"
#include "weights/weight_map.h"

namespace headlight {
namespace {

// Writes a tensor as float32.
class CopySink : public TensorSink {
 public:
  CopySink(const Packer::Write& write, std::uint64_t offset) : write_(write), offset_(offset) {}
  void write(std::size_t first, std::span<const float> values) override {
    write_(offset_ + first * sizeof(float), std::as_bytes(values));
  }

 private:
  const Packer::Write& write_;
  std::uint64_t offset_;
};

// Writes a matrix as codes, a row at a time, and its scales after the last.
class QuantiseSink : public TensorSink {
 public:
  QuantiseSink(const Packer::Write& write, std::uint64_t codes_offset, std::uint64_t scales_offset,
               const TensorEntry& tensor, const std::string& file)
      : write_(write),
        codes_offset_(codes_offset),
        scales_offset_(scales_offset),
        rows_(tensor.shape[0]),
        columns_(tensor.shape[1]),
        file_(file),
        tensor_(tensor.name) {}

  void write(std::size_t, std::span<const float> values) override {
    for (const float value : values) {
      row_.push_back(value);
      if (row_.size() == columns_) write_row();
    }
  }

 private:
  void write_row() {
    const float scale = quantise_row(row_, row_);
    if (!std::isfinite(scale)) {
      throw_error(ErrorCode::E_MODEL_CORRUPT, "The tensor holds a number that is not finite",
                  {.file = file_, .tensor = tensor_});
    }
    std::vector<std::int8_t> codes;
    for (const float code : row_) codes.push_back(static_cast<std::int8_t>(code));
    write_(codes_offset_ + scales_.size() * columns_, std::as_bytes(std::span(codes)));
    scales_.push_back(scale);
    row_.clear();
    if (scales_.size() == rows_) write_(scales_offset_, std::as_bytes(std::span<const float>(scales_)));
  }

  const Packer::Write& write_;
  std::uint64_t codes_offset_, scales_offset_;
  std::size_t rows_, columns_;
  std::string file_, tensor_;
  std::vector<float> row_;
  std::vector<float> scales_;
};

// Whether a tensor goes into the pack; of tied ones the first does.
bool is_packed(const TensorEntry& tensor) { return is_decodable(tensor.dtype) && !tensor.tied; }

}  // namespace

struct Packer::State {
  State(Write write_bytes, std::string name)
      : file(std::move(name)),
        write(std::move(write_bytes)),
        reader(make_weight_reader(
            file, std::nullopt,
            TensorVisitor{.tensors = [this](std::span<const TensorEntry> tensors) { write_header(tensors); },
                          .tensor = [this](const TensorEntry& tensor) { return open(tensor); },
                          .finished = [this](const TensorEntry& tensor) { sinks.erase(tensor.name); }})) {}

  void write_header(std::span<const TensorEntry> tensors) {
    std::vector<TensorEntry> packed;
    for (const TensorEntry& tensor : tensors) {
      if (tensor.dtype == DType::I8) {
        throw_error(ErrorCode::E_INVALID_ARGUMENT, "The weights are packed already",
                    {.file = file, .tensor = tensor.name});
      }
      if (!is_packed(tensor)) continue;
      if (is_quantisable(tensor.shape)) {
        packed.push_back(
            {.name = tensor.name + std::string(kCodesSuffix), .dtype = DType::I8, .shape = tensor.shape});
        packed.push_back({.name = tensor.name + std::string(kScalesSuffix),
                          .dtype = DType::F32,
                          .shape = {tensor.shape[0]}});
      } else {
        packed.push_back({.name = tensor.name, .dtype = DType::F32, .shape = tensor.shape});
      }
    }
    const std::string bytes =
        SafetensorsHeader::write(packed, {{"format", "headlight-int8"}, {"version", "1"}});
    for (const TensorEntry& tensor : packed) offsets.emplace(tensor.name, bytes.size() + tensor.begin);
    write(0, std::as_bytes(std::span(bytes)));
  }

  TensorSink* open(const TensorEntry& tensor) {
    if (!is_packed(tensor)) return nullptr;
    auto& sink = sinks[tensor.name];
    if (is_quantisable(tensor.shape)) {
      sink =
          std::make_unique<QuantiseSink>(write, offsets.at(tensor.name + std::string(kCodesSuffix)),
                                         offsets.at(tensor.name + std::string(kScalesSuffix)), tensor, file);
    } else {
      sink = std::make_unique<CopySink>(write, offsets.at(tensor.name));
    }
    return sink.get();
  }

  const std::string file;
  Write write;
  std::map<std::string, std::uint64_t> offsets;              // of the packed tensors
  std::map<std::string, std::unique_ptr<TensorSink>> sinks;  // of the tensors that are arriving
  std::unique_ptr<WeightReader> reader;
};

Packer::Packer(Write write, std::string file)
    : state_(std::make_unique<State>(std::move(write), std::move(file))) {}
Packer::~Packer() = default;
void Packer::feed(std::span<const std::byte> bytes) { state_->reader->feed(bytes); }
void Packer::finish() { state_->reader->end(); }

}  // namespace headlight
