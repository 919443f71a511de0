#include "tasks/fill_mask.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tasks/encode.h"
#include "tasks/grouped_task.h"
#include "tasks/scores.h"
#include "throw_error.h"

namespace headlight {
namespace {

std::int32_t target_id(const Tokenizer& tokenizer, const std::string& target) {
  if (const auto id = tokenizer.token_to_id(target)) return *id;
  const Encoding encoding = tokenizer.encode({target}, {.add_special_tokens = false});
  if (encoding.size() != 1 || encoding.ids[0] == tokenizer.unk_id()) {
    throw_error(ErrorCode::E_INVALID_ARGUMENT,
                {"the target \"", target, "\" is not one token of the vocabulary"});
  }
  return encoding.ids[0];
}

// Ids to choose from, each once.
std::vector<std::int32_t> candidates(const Model& model, const std::vector<std::string>& targets) {
  std::vector<std::int32_t> ids;
  for (const std::string& target : targets) {
    const std::int32_t id = target_id(model.tokenizer(), target);
    if (static_cast<std::size_t>(id) >= model.info().vocab_size) {
      throw_error(ErrorCode::E_INVALID_ARGUMENT, {"the model knows no token \"", target, "\""});
    }
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  if (!targets.empty()) return ids;
  // A model's table may be longer than the vocabulary.
  ids.resize(std::min(model.info().vocab_size, model.tokenizer().vocab_size()));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

class FillMaskTask final : public GroupedTask<FilledMasks> {
 public:
  FillMaskTask(const Model& model, std::span<const Input> inputs, const FillMaskOptions& options)
      : GroupedTask(model, inputs, options.text),
        top_k_(options.top_k),
        mask_id_(*model.tokenizer().mask_id()),
        candidates_(candidates(model, options.targets)),
        ids_(inputs.size()) {
    start();
  }

 private:
  std::vector<Encoding> encode(std::size_t input) override {
    std::vector<Encoding> passages = fit(input);
    ids_[input] = passages.front().ids;
    if (std::find(ids_[input].begin(), ids_[input].end(), mask_id_) == ids_[input].end()) {
      throw_error(ErrorCode::E_INVALID_ARGUMENT,
                  {name_of(input), " has no ", model().tokenizer().id_to_token(mask_id_).value_or("mask"),
                   truncated(input).empty() ? "" : " before the place where it is cut"});
    }
    return passages;
  }

  ForwardOptions forward_options(std::size_t) const override { return {.logits_of_token = mask_id_}; }

  FilledMasks make_result(std::size_t input, std::vector<ForwardResult> passages) override {
    const std::vector<std::int32_t> ids = std::move(ids_[input]);
    const Tensor& logits = *passages.front().logits;  // [masks, vocab_size]
    FilledMasks result{{}, std::move(truncated(input))};
    std::size_t mask = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] == mask_id_)
        result.masks.push_back(fill(ids, i, row_of(logits, mask++), logits.shape[0] == 1));
    }
    return result;
  }

  std::vector<FilledMask> fill(std::vector<std::int32_t> ids, std::size_t at, std::span<const float> logits,
                               bool only_one) const {
    const std::vector<double> scores = softmax(logits);
    std::vector<double> of_candidates;
    for (const std::int32_t id : candidates_) of_candidates.push_back(scores[id]);
    std::vector<FilledMask> filled;
    for (const std::size_t i : best_scores(of_candidates, top_k_)) {
      const std::int32_t id = candidates_[i];
      ids[at] = id;
      std::vector<std::int32_t> sequence = ids;
      if (const auto pad = model().tokenizer().pad_id()) std::erase(sequence, *pad);
      // Where other masks remain, they would be skipped with the special tokens.
      filled.push_back({static_cast<float>(of_candidates[i]), id,
                        model().tokenizer().decode({&id, 1}, /*skip_special_tokens=*/false),
                        model().tokenizer().decode(sequence, only_one)});
    }
    return filled;
  }

  std::size_t top_k_;
  std::int32_t mask_id_;
  std::vector<std::int32_t> candidates_;
  std::vector<std::vector<std::int32_t>> ids_;
};

}  // namespace

std::unique_ptr<Task<FilledMasks>> begin_fill_mask(const Model& model, std::span<const Input> inputs,
                                                   const FillMaskOptions& options) {
  require_task(model.info(), "fillMask", "a masked language modelling head and a mask token");
  refuse_windows(options.text, "fillMask");
  FillMaskOptions parsing = options;
  parsing.text.parse_special_tokens = true;
  return std::make_unique<FillMaskTask>(model, inputs, parsing);
}

}  // namespace headlight
