#include "tasks/next_sentence.h"

#include <utility>

#include "tasks/encode.h"
#include "tasks/grouped_task.h"
#include "tasks/scores.h"
#include "throw_error.h"

namespace headlight {
namespace {

class NextSentenceTask final : public GroupedTask<NextSentence> {
 public:
  NextSentenceTask(const Model& model, std::span<const Input> inputs, const TextOptions& options)
      : GroupedTask(model, inputs, options) {
    start();
  }

 private:
  NextSentence make_result(std::size_t input, std::vector<ForwardResult> passages) override {
    // The first of the two logits is that of a pair from one document.
    const double score = softmax(passages.front().logits->data)[0];
    return {score >= 0.5, static_cast<float>(score), std::move(truncated(input))};
  }
};

}  // namespace

std::unique_ptr<Task<NextSentence>> begin_next_sentence(const Model& model, std::span<const Input> inputs,
                                                        const TextOptions& options) {
  require_task(model.info(), "nextSentence", "a next sentence prediction head");
  refuse_windows(options, "nextSentence");
  for (const Input& input : inputs) {
    if (!input.text_pair) throw_error(ErrorCode::E_INVALID_ARGUMENT, "nextSentence needs a pair of texts");
  }
  return std::make_unique<NextSentenceTask>(model, inputs, options);
}

}  // namespace headlight
