// Sorting in little code: std::sort takes several kilobytes for every type, in a module that is downloaded.
#pragma once

#include <algorithm>
#include <functional>

namespace headlight {

// In O(n log n), without extra memory; equal elements may change places.
template <typename Iterator, typename Less = std::less<>>
void heap_sort(Iterator begin, Iterator end, Less less = {}) {
  std::make_heap(begin, end, less);
  std::sort_heap(begin, end, less);
}

}  // namespace headlight
