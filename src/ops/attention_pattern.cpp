#include "ops/attention_pattern.h"

#include <algorithm>

namespace headlight {

void WindowPattern::visible(const SequenceShape& sequence, std::size_t query,
                            std::vector<KeyRange>& keys) const {
  const auto& globals = sequence.global_tokens;
  if (std::binary_search(globals.begin(), globals.end(), query)) {
    keys.push_back({0, sequence.count});
    return;
  }
  const std::size_t begin = query > reach_ ? query - reach_ : 0;
  const std::size_t end = std::min(sequence.count, query + reach_ + 1);
  const auto add = [&keys](std::size_t first, std::size_t last) {
    if (!keys.empty() && keys.back().end == first) {
      keys.back().end = last;
    } else {
      keys.push_back({first, last});
    }
  };
  const auto window = std::lower_bound(globals.begin(), globals.end(), begin);
  for (auto global = globals.begin(); global != window; ++global) add(*global, *global + 1);
  add(begin, end);
  for (auto global = std::lower_bound(window, globals.end(), end); global != globals.end(); ++global) {
    add(*global, *global + 1);
  }
}

void BlockSparsePattern::visible(const SequenceShape& sequence, std::size_t query,
                                 std::vector<KeyRange>& keys) const {
  const std::size_t blocks = (sequence.padded + block_size_ - 1) / block_size_;
  const std::size_t block = (query + sequence.offset) / block_size_;
  const bool short_input = sequence.padded <= (5 + 2 * random_blocks_) * block_size_;
  if (short_input || block == 0 || block + 1 == blocks) {
    keys.push_back({0, sequence.count});
    return;
  }
  // Block b's keys without the padding; blocks that are all padding add nothing.
  const auto add = [&](std::size_t b, float weight) {
    const auto position = [&](std::size_t padded) {
      return std::min(padded > sequence.offset ? padded - sequence.offset : 0, sequence.count);
    };
    const KeyRange range{position(b * block_size_), position((b + 1) * block_size_), weight};
    if (range.begin < range.end) keys.push_back(range);
  };
  add(0, 1 + static_cast<float>(random_blocks_));
  // The second block and the last but one see as many blocks as the others: four, or three beside the neighbours' own.
  for (std::size_t b = std::max<std::size_t>(block - 1, 1); b <= std::min(block + 1, blocks - 2); ++b)
    add(b, 1);
  add(blocks - 1, 1);
}

}  // namespace headlight
