#include "text/truncation.h"
#include "throw_error.h"

#include <algorithm>
#include <string>

namespace headlight {

namespace {

Kept longest_first(std::size_t text, std::size_t text_pair, std::size_t room) {
  const std::size_t shorter = std::min(text, text_pair);
  Kept kept{.text = room / 2, .text_pair = room - room / 2};
  if (shorter <= room && 2 * shorter <= room) kept = {.text = shorter, .text_pair = room - shorter};
  if (text > text_pair) std::swap(kept.text, kept.text_pair);
  return kept;
}

}  // namespace

Kept truncate(std::size_t text, std::optional<std::size_t> text_pair, std::size_t room, Truncation strategy) {
  const Kept all{text, text_pair.value_or(0)};
  const std::size_t total = all.text + all.text_pair;
  if (strategy == Truncation::none || total <= room) return all;
  if (room == 0) return {};
  if (strategy == Truncation::longest_first) {
    return text_pair ? longest_first(text, *text_pair, room) : Kept{.text = room};
  }

  Kept kept = all;
  std::size_t& cut = strategy == Truncation::only_first ? kept.text : kept.text_pair;
  const std::size_t surplus = total - room;
  if (cut <= surplus) {
    throw_error(ErrorCode::E_INVALID_ARGUMENT,
                {"the maximum length leaves no room for the text that may be cut, since the other one has ",
                 total - cut, " tokens"});
  }
  cut -= surplus;
  return kept;
}

std::vector<Window> windows(std::size_t length, std::size_t kept, std::size_t stride, Side side) {
  if (kept >= length) return {{0, length}};
  if (kept == 0) return {{0, 0}, {0, length}};
  if (stride >= kept) {
    throw_error(ErrorCode::E_INVALID_ARGUMENT,
                {"stride is ", stride, ", but only ", kept, " tokens of the text fit into a window"});
  }
  std::vector<Window> result;
  for (std::size_t begin = 0, end = kept;; begin += kept - stride, end = std::min(begin + kept, length)) {
    result.push_back(side == Side::right ? Window{begin, end} : Window{length - end, length - begin});
    if (end == length) return result;
  }
}

}  // namespace headlight
