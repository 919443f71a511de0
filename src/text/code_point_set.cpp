#include "text/code_point_set.h"

#include <algorithm>

namespace headlight {

void CodePointSet::add(char32_t first, char32_t last) {
  // All ranges that touch the new one become part of it.
  const auto begin = std::lower_bound(ranges_.begin(), ranges_.end(), first,
                                      [](const Range& range, char32_t c) { return range.last + 1 < c; });
  auto end = begin;
  for (; end != ranges_.end() && end->first <= last + 1; ++end) {
    first = std::min(first, end->first);
    last = std::max(last, end->last);
  }
  if (begin == end) {
    ranges_.insert(begin, {first, last});
  } else {
    *begin = {first, last};
    ranges_.erase(begin + 1, end);
  }
}

void CodePointSet::add(const CodePointSet& other) {
  for (const Range& range : other.ranges_) add(range.first, range.last);
}

CodePointSet CodePointSet::complement() const {
  CodePointSet result;
  char32_t next = 0;
  for (const Range& range : ranges_) {
    if (next < range.first) result.ranges_.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= 0x10FFFF) result.ranges_.push_back({next, 0x10FFFF});
  return result;
}

CodePointSet CodePointSet::intersection(const CodePointSet& other) const {
  CodePointSet outside = complement();
  outside.add(other.complement());
  return outside.complement();
}

bool CodePointSet::contains(char32_t code_point) const {
  const auto range = std::lower_bound(ranges_.begin(), ranges_.end(), code_point,
                                      [](const Range& r, char32_t c) { return r.last < c; });
  return range != ranges_.end() && range->first <= code_point;
}

}  // namespace headlight
