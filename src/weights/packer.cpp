// Quantises a checkpoint to int8 (docs/format.md).
#include <cmath>
#include <memory>

#include "headlight.h"
#include "weights/quantise.h"
#include "weights/safetensors.h"
#include "weights/weight_map.h"

namespace headlight {
namespace {

std::span<const std::byte> bytes_of(std::span<const float> values) { return std::as_bytes(values); }

// Writes a tensor as float32.
class CopySink : public TensorSink {
 public:
  explicit CopySink(const Packer::Write& write) : write_(write) {}
  void write(std::size_t, std::span<const float> values) override { write_(bytes_of(values)); }

 private:
  const Packer::Write& write_;
};

// Writes a matrix as codes, a row at a time, then its scales.
class QuantiseSink : public TensorSink {
 public:
  QuantiseSink(const Packer::Write& write, const TensorEntry& tensor, const std::string& file)
      : write_(write), tensor_(tensor), file_(file) {}

  void write(std::size_t, std::span<const float> values) override {
    const std::size_t columns = tensor_.shape[1];
    for (const float value : values) {
      row_.push_back(value);
      if (row_.size() == columns) write_row();
    }
  }

  void end() { write_(bytes_of(scales_)); }

 private:
  void write_row() {
    const float scale = quantise_row(row_, row_);
    if (!std::isfinite(scale)) {
      throw Error(ErrorCode::E_MODEL_CORRUPT, "The tensor holds a number that is not finite",
                  {.file = file_, .tensor = tensor_.name});
    }
    std::vector<std::int8_t> codes;
    for (const float code : row_) codes.push_back(static_cast<std::int8_t>(code));
    write_(std::as_bytes(std::span(codes)));
    scales_.push_back(scale);
    row_.clear();
  }

  const Packer::Write& write_;
  const TensorEntry& tensor_;
  const std::string& file_;
  std::vector<float> row_;
  std::vector<float> scales_;
};

}  // namespace

struct Packer::State {
  explicit State(Write write_bytes)
      : write(std::move(write_bytes)),
        reader("model.safetensors", std::nullopt,
               SafetensorsReader::Visitor{
                   .header = [this](const SafetensorsHeader& header) { write_header(header); },
                   .tensor = [this](const TensorEntry& tensor) { return open(tensor); },
                   .finished = [this](const TensorEntry& tensor) { close(tensor); }}) {}

  void write_header(const SafetensorsHeader& header) {
    std::vector<TensorEntry> packed;
    for (const TensorEntry& tensor : header.tensors) {
      if (tensor.dtype == DType::I8) {
        throw Error(ErrorCode::E_INVALID_ARGUMENT, "The weights are packed already",
                    {.file = file, .tensor = tensor.name});
      }
      if (!is_decodable(tensor.dtype)) continue;
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
    write(std::as_bytes(std::span(bytes)));
  }

  TensorSink* open(const TensorEntry& tensor) {
    if (!is_decodable(tensor.dtype)) return nullptr;
    if (!is_quantisable(tensor.shape)) return &copy;
    quantise = std::make_unique<QuantiseSink>(write, tensor, file);
    return quantise.get();
  }

  void close(const TensorEntry& tensor) {
    if (is_decodable(tensor.dtype) && is_quantisable(tensor.shape)) quantise->end();
  }

  const std::string file = "model.safetensors";
  Write write;
  SafetensorsReader reader;
  CopySink copy{write};
  std::unique_ptr<QuantiseSink> quantise;
};

Packer::Packer(Write write) : state_(std::make_unique<State>(std::move(write))) {}
Packer::~Packer() = default;
void Packer::feed(std::span<const std::byte> safetensors) { state_->reader.feed(safetensors); }
void Packer::finish() { state_->reader.end(); }

}  // namespace headlight
