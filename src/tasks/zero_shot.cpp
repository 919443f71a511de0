#include "tasks/zero_shot.h"

#include <algorithm>
#include <utility>

#include "tasks/encode.h"
#include "tasks/fitting.h"
#include "tasks/grouped_task.h"
#include "tasks/scores.h"
#include "throw_error.h"

namespace headlight {
namespace {

constexpr std::string_view kLabelPlace = "{}";

class ZeroShotTask final : public GroupedTask<Classification> {
 public:
  ZeroShotTask(const Model& model, std::span<const Input> inputs, std::span<const std::string> labels,
               const ZeroShotOptions& options)
      : GroupedTask(model, inputs, options.text, labels.size()),
        options_(options),
        labels_(labels.begin(), labels.end()),
        entailment_(*entailment_label(model.info().labels)),
        contradiction_(entailment_ == 0 ? model.info().labels.size() - 1 : 0) {
    start();
  }

 private:
  std::vector<Encoding> encode(std::size_t input) override {
    std::vector<Encoding> passages;
    for (const std::string& label : labels_) {
      Input pair = inputs()[input];
      pair.text_pair = options_.hypothesis_template;
      pair.text_pair->replace(pair.text_pair->find(kLabelPlace), kLabelPlace.size(), label);
      FittedEncoding fitted = fit_in_place_of(input, pair, Truncation::only_first);
      keep_shortest(truncated(input), fitted.truncated);
      passages.push_back(std::move(fitted.encoding));
    }
    return passages;
  }

  // Of all labels' cuts the one that leaves least.
  static void keep_shortest(std::vector<Cut>& kept, const std::vector<Cut>& cuts) {
    if (cuts.empty()) return;
    if (kept.empty() || cuts[0].start < kept[0].start) kept = {cuts[0]};
  }

  Classification make_result(std::size_t input, std::vector<ForwardResult> passages) override {
    std::vector<double> scores;
    std::vector<float> entailments;
    for (const ForwardResult& passage : passages) {
      const std::vector<float>& logits = passage.logits->data;
      entailments.push_back(logits[entailment_]);
      scores.push_back(softmax(std::vector<float>{logits[contradiction_], logits[entailment_]})[1]);
    }
    if (!options_.multi_label && labels_.size() > 1) scores = softmax(entailments);
    return {best_labels(labels_, scores, scores.size()), std::move(truncated(input))};
  }

  ZeroShotOptions options_;
  std::vector<std::string> labels_;
  std::size_t entailment_, contradiction_;
};

}  // namespace

std::unique_ptr<Task<Classification>> begin_zero_shot(const Model& model, std::span<const Input> inputs,
                                                      std::span<const std::string> labels,
                                                      const ZeroShotOptions& options) {
  require_task(model.info(), "zeroShot",
               "a classifier for natural language inference, with a label \"entailment\"");
  refuse_windows(options.text, "zeroShot");
  const auto fail = [](const TextPiece& message) { throw_error(ErrorCode::E_INVALID_ARGUMENT, message); };
  if (labels.empty()) fail("zeroShot needs at least one label");
  if (options.hypothesis_template.find(kLabelPlace) == std::string::npos) {
    fail("the hypothesis template has no {} for the label");
  }
  for (const Input& input : inputs) {
    if (input.text_pair) fail("zeroShot reads one text, not a pair: the other is the hypothesis");
  }
  return std::make_unique<ZeroShotTask>(model, inputs, labels, options);
}

}  // namespace headlight
