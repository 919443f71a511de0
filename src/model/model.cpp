// The public Model: a thin shell over EncoderModel.
#include "headlight.h"
#include "model/encoder.h"
#include "model/forward.h"
#include "tasks/attention.h"
#include "tasks/classify.h"

namespace headlight {

void Run::finish() {
  while (step(~std::uint64_t{0})) {
  }
}

Model::Model(std::unique_ptr<EncoderModel> model) : model_(std::move(model)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const ModelInfo& Model::info() const { return model_->info; }
const Tokenizer& Model::tokenizer() const { return model_->tokenizer; }

std::unique_ptr<Task<ForwardResult>> Model::begin_forward(std::span<const Encoding> encodings,
                                                          const ForwardOptions& options) const {
  return headlight::begin_forward(*model_, encodings, options);
}

std::unique_ptr<Task<Classification>> Model::begin_classify(std::span<const Input> inputs,
                                                            const ClassifyOptions& options) const {
  return headlight::begin_classify(*this, inputs, options);
}

std::unique_ptr<Task<AttentionResult>> Model::begin_attention(std::span<const Input> inputs,
                                                              const AttentionOptions& options) const {
  return headlight::begin_attention(*this, inputs, options);
}

std::vector<ForwardResult> Model::forward(std::span<const Encoding> encodings,
                                          const ForwardOptions& options) const {
  return begin_forward(encodings, options)->result();
}

std::vector<Classification> Model::classify(std::span<const Input> inputs,
                                            const ClassifyOptions& options) const {
  return begin_classify(inputs, options)->result();
}

std::vector<AttentionResult> Model::attention(std::span<const Input> inputs,
                                              const AttentionOptions& options) const {
  return begin_attention(inputs, options)->result();
}

}  // namespace headlight
