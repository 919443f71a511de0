#include "text/token_trie.h"
#include "heap_sort.h"

#include <algorithm>

namespace headlight {

namespace {

struct Entry {
  std::uint64_t beginning;  // the first 8 bytes, the first one being the highest
  std::int32_t id;
};

// Tokens that can be found by their spelling, but for the empty one, in the order of their bytes.
std::vector<Entry> sorted_tokens(const Vocabulary& vocabulary) {
  std::vector<Entry> entries;
  entries.reserve(vocabulary.size());
  for (std::int32_t id = 0; id < vocabulary.id_end(); ++id) {
    const auto token = vocabulary.token(id);
    if (!token || token->empty() || vocabulary.find(*token) != id) continue;
    std::uint64_t beginning = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      beginning = beginning << 8 | (i < token->size() ? static_cast<unsigned char>((*token)[i]) : 0);
    }
    entries.push_back({beginning, id});
  }
  heap_sort(entries.begin(), entries.end(), [&vocabulary](const Entry& a, const Entry& b) {
    if (a.beginning != b.beginning) return a.beginning < b.beginning;
    return *vocabulary.token(a.id) < *vocabulary.token(b.id);
  });
  return entries;
}

}  // namespace

TokenTrie::TokenTrie(const Vocabulary& vocabulary) {
  const std::vector<Entry> tokens = sorted_tokens(vocabulary);
  const auto spelling = [&](std::size_t i) { return *vocabulary.token(tokens[i].id); };

  // The tokens below each node of the level that is laid out.
  struct Range {
    std::size_t begin, end;
  };
  std::vector<Range> level = {{0, tokens.size()}}, next;
  labels_.push_back(0);
  for (std::size_t depth = 0; !level.empty(); ++depth) {
    next.clear();
    for (auto [begin, end] : level) {
      children_.push_back(static_cast<std::uint32_t>(labels_.size()));
      const bool ends_here = begin < end && spelling(begin).size() == depth;
      const bool alone = end - begin == 1;
      ids_.push_back(ends_here || alone ? tokens[begin].id : -1);
      if (alone) continue;
      if (ends_here) ++begin;
      while (begin < end) {
        const char label = spelling(begin)[depth];
        std::size_t part_end = begin + 1;
        while (part_end < end && spelling(part_end)[depth] == label) ++part_end;
        labels_.push_back(static_cast<std::uint8_t>(label));
        next.push_back({begin, part_end});
        begin = part_end;
      }
    }
    level.swap(next);
  }
  children_.push_back(static_cast<std::uint32_t>(labels_.size()));
  labels_.shrink_to_fit();
  ids_.shrink_to_fit();
  children_.shrink_to_fit();
}

std::size_t TokenTrie::child(std::size_t node, std::uint8_t label) const {
  const auto begin = labels_.begin() + children_[node], end = labels_.begin() + children_[node + 1];
  const auto found = std::lower_bound(begin, end, label);
  return found == end || *found != label ? 0 : static_cast<std::size_t>(found - labels_.begin());
}

}  // namespace headlight
