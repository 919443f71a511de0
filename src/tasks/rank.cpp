#include "tasks/rank.h"

#include <algorithm>
#include <utility>

#include "tasks/classify.h"
#include "tasks/encode.h"
#include "tasks/grouped_task.h"
#include "tasks/scores.h"
#include "throw_error.h"

namespace headlight {
namespace {

class RankTask final : public GroupedTask<Ranked> {
 public:
  RankTask(const Model& model, std::span<const Input> pairs, const RankOptions& options)
      : GroupedTask(model, pairs, options.text), top_k_(options.top_k) {
    start();
  }

  std::vector<Ranked> result() override {
    const std::vector<Ranked> documents = GroupedTask::result();
    std::vector<double> scores;
    for (const Ranked& document : documents) scores.push_back(document.score);
    std::vector<Ranked> ranked;
    for (const std::size_t i : best_scores(scores, top_k_ > 0 ? top_k_ : scores.size()))
      ranked.push_back(documents[i]);
    return ranked;
  }

 private:
  Ranked make_result(std::size_t input, std::vector<ForwardResult> passages) override {
    return {input, label_scores(passages.front().logits->data, model().info()).front().score};
  }

  std::size_t top_k_;
};

}  // namespace

std::unique_ptr<Task<Ranked>> begin_rank(const Model& model, std::span<const Input> pairs,
                                         const RankOptions& options) {
  require_task(model.info(), "rank", "a sequence classification head with a single label");
  refuse_windows(options.text, "rank");
  for (const Input& pair : pairs) {
    if (!pair.text_pair) throw_error(ErrorCode::E_INVALID_ARGUMENT, "rank needs a query and a document");
  }
  return std::make_unique<RankTask>(model, pairs, options);
}

}  // namespace headlight
