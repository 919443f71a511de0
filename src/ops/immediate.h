// Operators that compute at once.
#pragma once

#include <optional>
#include <vector>

#include "ops/operators.h"

namespace headlight {

// Memory of operators for a tile of rows; what one use leaves is there for the next.
struct OperatorScratch {
  std::vector<Buffer> buffers;
  Buffer panel;
  std::vector<std::byte> codes;  // of quantised rows
};

class Immediate final : public Operators {
 public:
  // quantised: rows that meet int8 weights are rounded; exact: these weights are multiplied out.
  enum class Arithmetic { quantised, exact };
  // scratch: in use as long as this object and the values that it gave.
  Immediate(const kernels::Table& kernels, OperatorScratch& scratch,
            Arithmetic arithmetic = Arithmetic::quantised)
      : kernels_(kernels), scratch_(scratch), arithmetic_(arithmetic) {}

  const kernels::Table& kernels() const override { return kernels_; }
  Value rows(std::size_t count, std::size_t columns) override;
  void release(const Value& value) override;
  Value linear(const Linear& linear, const Value& x, const Value* residual, const MutableRows* to) override;
  Value norm(const Norm& norm, const Value& x, const MutableRows* to) override;
  Value activate(Activation activation, const Value& x) override;
  Value multiply(const Value& a, const Value& b) override;
  Value add(const Value& a, const Value& b) override;
  void turn(const Rotary& rotary, std::span<const TokenInput> tokens, const Value& x) override;
  Value convolve(const Convolution1d& convolution, const Value& sequence, std::size_t first,
                 std::size_t count) override;

 private:
  // Codes of these rows, where there are any, are out of date.
  void changed(const Value& value) {
    if (input_ && input_->rows().data == value.data) input_.reset();
  }

  const kernels::Table& kernels_;
  OperatorScratch& scratch_;
  Arithmetic arithmetic_;
  std::uint32_t taken_ = 0;           // a bit for each of the scratch's buffers
  std::optional<LinearInput> input_;  // the rows whose codes the scratch holds
};

}  // namespace headlight
