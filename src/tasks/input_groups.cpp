#include "tasks/input_groups.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headlight {

InputGroups::InputGroups(const Model& model, Source& source, std::vector<std::uint64_t> work)
    : model_(model), source_(source), work_(std::move(work)) {
  total_ = std::accumulate(work_.begin(), work_.end(), std::uint64_t{0});
}

bool InputGroups::step(std::uint64_t work) {
  if (forward_) {
    if (forward_->step(work)) return true;
    finish_group();
  } else if (more()) {
    begin_group();
  }
  return forward_ || more();
}

std::uint64_t InputGroups::work_done() const {
  if (!forward_ || forward_->work_total() == 0) return done_;
  const double share =
      static_cast<double>(forward_->work_done()) / static_cast<double>(forward_->work_total());
  return done_ + std::min(group_work_, static_cast<std::uint64_t>(share * static_cast<double>(group_work_)));
}

bool InputGroups::fetch() {
  if (!passage_waits() && next_input_ < work_.size()) {
    waiting_.clear();
    next_passage_ = 0;
    std::vector<Encoding> passages = source_.encode(next_input_);
    pending_.push_back({next_input_, passages.size(), {}});
    for (Encoding& passage : passages) {
      // Many may wait: only what the encoder reads is kept of each.
      Encoding& encoding = waiting_.emplace_back(Passage{next_input_, {}}).encoding;
      encoding.ids = std::move(passage.ids);
      encoding.type_ids = std::move(passage.type_ids);
      encoding.attention_mask = std::move(passage.attention_mask);
    }
    ++next_input_;
  }
  return passage_waits();
}

void InputGroups::begin_group() {
  if (!fetch()) return;
  const std::size_t first = waiting_[next_passage_].input;
  std::vector<Encoding> group;
  std::size_t tokens = 0;
  group_work_ = 0;
  do {
    Passage& passage = waiting_[next_passage_++];
    const std::size_t input = passage.input;
    tokens += passage.encoding.size();
    const auto pending = std::find_if(pending_.begin(), pending_.end(),
                                      [input](const Pending& entry) { return entry.input == input; });
    group_work_ += work_[input] / pending->passages;
    group.push_back(std::move(passage.encoding));
  } while (fetch() && tokens + waiting_[next_passage_].encoding.size() <= kGroupTokens &&
           source_.may_share_group(first, waiting_[next_passage_].input));
  forward_ = model_.begin_forward(group, source_.group_options(first));
}

void InputGroups::finish_group() {
  std::vector<ForwardResult> results = forward_->result();
  forward_.reset();
  done_ += group_work_;
  for (ForwardResult& result : results) {
    Pending& pending = pending_.front();
    pending.results.push_back(std::move(result));
    if (pending.results.size() < pending.passages) continue;
    done_ += work_[pending.input] % pending.passages;
    Pending complete = std::move(pending);
    pending_.erase(pending_.begin());
    source_.conclude(complete.input, std::move(complete.results));
  }
}

std::uint64_t input_work(const ModelInfo& info, const Input& input, std::size_t limit, bool windows) {
  constexpr std::size_t kBytesPerToken = 4;
  const std::size_t bytes = input.text.size() + (input.text_pair ? input.text_pair->size() : 0);
  const std::uint64_t tokens = bytes / kBytesPerToken + 2;
  const std::uint64_t n = std::min<std::uint64_t>(tokens, limit);
  const std::uint64_t passages = windows ? (tokens + limit - 1) / limit : 1;
  const std::uint64_t hidden = info.hidden_size;
  return passages * info.num_hidden_layers * n * hidden * (4 * hidden + 2 * info.intermediate_size + 2 * n) +
         1;
}

}  // namespace headlight
