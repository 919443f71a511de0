#include "tasks/token_scores.h"

#include <algorithm>

#include "heap_sort.h"
#include "tasks/scores.h"

namespace headlight {
namespace {

std::vector<std::size_t> text_tokens(const Encoding& encoding) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    if (encoding.special_tokens_mask[i] == 0) rows.push_back(i);
  }
  return rows;
}

// Tokens of `next` that stand in `tokens`' end, too: the longest overlap of both.
std::size_t overlap(const std::vector<ScoredToken>& tokens, const Encoding& next,
                    const std::vector<std::size_t>& rows) {
  const auto same = [&](const ScoredToken& token, std::size_t row) {
    return token.id == next.ids[row] && token.code_points == next.code_point_offsets[row] &&
           token.word_id == next.word_ids[row];
  };
  std::size_t shared = std::min(tokens.size(), rows.size());
  while (shared > 0 &&
         !std::equal(tokens.end() - static_cast<std::ptrdiff_t>(shared), tokens.end(), rows.begin(), same)) {
    --shared;
  }
  return shared;
}

}  // namespace

TokenWindows::TokenWindows(const std::vector<Encoding>& passages) {
  std::vector<std::vector<std::size_t>> rows;
  for (const Encoding& passage : passages) rows.push_back(text_tokens(passage));
  std::vector<std::size_t> order;
  for (std::size_t w = 0; w < passages.size(); ++w) order.push_back(w);
  // A tokenizer that cuts at the left gives the last window first.
  const auto start = [&](std::size_t w) {
    return rows[w].empty() ? 0u : passages[w].code_point_offsets[rows[w].front()].start;
  };
  heap_sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return start(a) != start(b) ? start(a) < start(b) : a < b; });
  std::size_t leading = 0;  // special tokens before the text
  for (const std::size_t window : order) {
    const Encoding& passage = passages[window];
    const std::vector<std::size_t>& own = rows[window];
    if (own.empty()) continue;
    if (tokens_.empty()) leading = own.front();
    const std::size_t first = tokens_.size() - overlap(tokens_, passage, own);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const Place place{window, own[i], std::min(i, own.size() - 1 - i)};
      const std::size_t at = first + i;
      if (at < tokens_.size()) {
        if (place.margin > places_[at].margin) places_[at] = place;
        continue;
      }
      const std::size_t row = own[i];
      tokens_.push_back({passage.tokens[row],
                         passage.ids[row],
                         passage.offsets[row],
                         passage.code_point_offsets[row],
                         passage.word_ids[row],
                         leading + at,
                         {}});
      places_.push_back(place);
    }
  }
}

std::vector<ScoredToken> TokenWindows::score(const std::vector<ForwardResult>& passages) && {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    tokens_[i].scores = softmax(row_of(*passages[places_[i].window].logits, places_[i].row));
  }
  return std::move(tokens_);
}

}  // namespace headlight
