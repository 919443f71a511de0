// The public Model: a thin shell over EncoderModel.
#include "explain/explain.h"
#include "headlight.h"
#include "model/encoder.h"
#include "model/forward.h"
#include "tasks/answer.h"
#include "tasks/attention.h"
#include "tasks/classify.h"
#include "tasks/embed.h"
#include "tasks/entities.h"
#include "tasks/fill_mask.h"
#include "tasks/next_sentence.h"
#include "tasks/rank.h"
#include "tasks/zero_shot.h"

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

std::unique_ptr<Task<Entities>> Model::begin_entities(std::span<const Input> inputs,
                                                      const EntityOptions& options) const {
  return headlight::begin_entities(*this, inputs, options);
}

std::unique_ptr<Task<FilledMasks>> Model::begin_fill_mask(std::span<const Input> inputs,
                                                          const FillMaskOptions& options) const {
  return headlight::begin_fill_mask(*this, inputs, options);
}

std::unique_ptr<Task<Answers>> Model::begin_answer(std::span<const Input> inputs,
                                                   const AnswerOptions& options) const {
  return headlight::begin_answer(*this, inputs, options);
}

std::unique_ptr<Task<Embedding>> Model::begin_embed(std::span<const Input> inputs,
                                                    const EmbedOptions& options) const {
  return headlight::begin_embed(*this, inputs, options);
}

std::unique_ptr<Task<NextSentence>> Model::begin_next_sentence(std::span<const Input> inputs,
                                                               const TextOptions& options) const {
  return headlight::begin_next_sentence(*this, inputs, options);
}

std::unique_ptr<Task<Ranked>> Model::begin_rank(std::span<const Input> inputs,
                                                const RankOptions& options) const {
  return headlight::begin_rank(*this, inputs, options);
}

std::unique_ptr<Task<Classification>> Model::begin_zero_shot(std::span<const Input> inputs,
                                                             std::span<const std::string> labels,
                                                             const ZeroShotOptions& options) const {
  return headlight::begin_zero_shot(*this, inputs, labels, options);
}

std::unique_ptr<Task<Explanation>> Model::begin_explain(const Encoding& encoding,
                                                        const ExplainOptions& options) const {
  return explain::begin_explain(*model_, encoding, options);
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

std::vector<Entities> Model::entities(std::span<const Input> inputs, const EntityOptions& options) const {
  return begin_entities(inputs, options)->result();
}

std::vector<FilledMasks> Model::fill_mask(std::span<const Input> inputs,
                                          const FillMaskOptions& options) const {
  return begin_fill_mask(inputs, options)->result();
}

std::vector<Answers> Model::answer(std::span<const Input> inputs, const AnswerOptions& options) const {
  return begin_answer(inputs, options)->result();
}

std::vector<Embedding> Model::embed(std::span<const Input> inputs, const EmbedOptions& options) const {
  return begin_embed(inputs, options)->result();
}

std::vector<NextSentence> Model::next_sentence(std::span<const Input> inputs,
                                               const TextOptions& options) const {
  return begin_next_sentence(inputs, options)->result();
}

std::vector<Ranked> Model::rank(std::span<const Input> inputs, const RankOptions& options) const {
  return begin_rank(inputs, options)->result();
}

std::vector<Classification> Model::zero_shot(std::span<const Input> inputs,
                                             std::span<const std::string> labels,
                                             const ZeroShotOptions& options) const {
  return begin_zero_shot(inputs, labels, options)->result();
}

Explanation Model::explain(const Encoding& encoding, const ExplainOptions& options) const {
  return std::move(begin_explain(encoding, options)->result().front());
}

}  // namespace headlight
