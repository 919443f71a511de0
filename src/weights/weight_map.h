// The tensors that a model wants, by name, and where each goes.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/table.h"
#include "weights/weight_reader.h"

namespace headlight {

// A parameter tensor that is kept as it is, as float32.
class VectorSink : public TensorSink {
 public:
  explicit VectorSink(std::vector<float>& destination) : destination_(destination) {}
  void write(std::size_t first, std::span<const float> values) override;

 private:
  std::vector<float>& destination_;
};

// A matrix [rows, columns] that arrives in order, as numbers or as int8 codes with a scale for each row, and is kept
// in a form of its own.
class MatrixSink : public TensorSink {
 public:
  enum class Form { values, codes };  // codes: integers -127 … 127, times the row's scale

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  bool empty() const { return rows_ == 0; }

  // The kernels that the matrix will run with, whose layout it is packed in. WeightMap::add_matrix says them.
  void set_kernels(const kernels::Table& kernels) { kernels_ = &kernels; }

  // Makes room; shapes come from the config and are checked against the file before. stored: how the matrix arrives;
  // kept: how it runs. Values that are to run as codes are rounded row by row, codes that are to run as values
  // are multiplied out.
  void begin(std::size_t rows, std::size_t columns, Form stored, Form kept);
  void write(std::size_t first, std::span<const float> values) final;
  // Scales may come before or after the codes.
  TensorSink& begin_scales(std::size_t rows);
  // After all codes and scales are there.
  virtual void finish() {}
  // Memory that begin() takes.
  virtual std::size_t bytes_for(std::size_t rows, std::size_t columns, Form kept) const = 0;

 protected:
  virtual void allocate() = 0;
  // Values, or codes where the matrix arrives or is kept as such.
  virtual void set_row(std::size_t row, std::span<const float> values) = 0;
  Form stored() const { return stored_; }
  Form kept() const { return kept_; }
  const kernels::Table& kernels() const { return *kernels_; }

  std::vector<float> row_scales_;  // [rows] of codes, else empty

 private:
  const kernels::Table* kernels_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  Form stored_ = Form::values;
  Form kept_ = Form::values;
  std::vector<float> row_;  // the one that is arriving
  VectorSink scale_sink_{row_scales_};
};

// Names of an int8 pack (docs/format.md): the codes and the scales of the matrix NAME.
inline constexpr std::string_view kCodesSuffix = "_int8";
inline constexpr std::string_view kScalesSuffix = "_scale";

class WeightMap {
 public:
  enum class Need { required, optional };

  // kernels: those that the model runs with.
  explicit WeightMap(const kernels::Table& kernels) : kernels_(kernels) {}

  // kept: the form in which large matrices run.
  void set_kept(MatrixSink::Form kept) { kept_ = kept; }

  // Names are those that the checkpoint has without the family's prefix: "encoder.layer.0.output.dense.bias". The old
  // "LayerNorm.gamma" and "LayerNorm.beta" are read as well.
  void add_vector(std::string name, std::size_t size, std::vector<float>& destination,
                  Need need = Need::required);
  // A small tensor of any shape, kept row-major.
  void add_vector(std::string name, std::vector<std::size_t> shape, std::vector<float>& destination,
                  Need need = Need::required);
  // most: Form::values where the matrix runs as float32 whatever set_kept() says.
  void add_matrix(std::string name, std::size_t rows, std::size_t columns, MatrixSink& destination,
                  Need need = Need::required, MatrixSink::Form most = MatrixSink::Form::codes);
  // Several matrices and vectors that the checkpoint holds as one, below each other; each part's rows are its size.
  template <typename Part>
  struct Stacked {
    Part* destination;
    std::size_t rows;
  };
  void add_stacked(std::string name, std::size_t columns, std::vector<Stacked<MatrixSink>> parts);
  void add_stacked(std::string name, std::vector<Stacked<std::vector<float>>> parts);

  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }

  // What is wanted, in the order in which it was added, names without the prefix.
  struct Wanted {
    std::string_view name;
    std::span<const std::size_t> shape;
    Need need;
  };
  std::vector<Wanted> wanted() const;

  // Where to put a checkpoint's tensor; null: nobody wants it, or has it under the name that it is tied to. Checks
  // shape and element type, and makes room.
  // Throws E_SHAPE_MISMATCH, E_UNSUPPORTED_DTYPE, E_MODEL_CORRUPT for a second tensor of the same meaning.
  TensorSink* open(const TensorEntry& tensor, const std::string& file);

  // Throws E_MISSING_TENSOR for what was required and did not come; ends what came.
  void finish(const std::string& file);

  // Memory that the tensors wanted of this file will take.
  std::uint64_t bytes_for(std::span<const TensorEntry> tensors) const;

 private:
  struct Slot {
    std::string name;
    std::vector<std::size_t> shape;
    WeightMap::Need need;
    std::vector<float>* vector = nullptr;
    MatrixSink* matrix = nullptr;
    MatrixSink::Form most = MatrixSink::Form::codes;
    std::unique_ptr<TensorSink> vector_sink = nullptr;
    std::unique_ptr<MatrixSink> stack = nullptr;  // what `matrix` points to, where it is several in one
    bool has_values = false;
    bool has_codes = false;
    bool has_scales = false;
  };
  enum class Part { values, codes, scales };

  void add(Slot slot);
  std::pair<const Slot*, Part> find(std::string_view checkpoint_name) const;
  MatrixSink::Form kept(const Slot& slot) const;

  const kernels::Table& kernels_;
  std::vector<Slot> slots_;
  std::map<std::string, std::uint64_t> index_;
  std::string prefix_;
  MatrixSink::Form kept_ = MatrixSink::Form::values;
};

}  // namespace headlight
