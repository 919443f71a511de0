#pragma once

#include <cstdint>
#include <vector>

namespace headlight {

// A set of code points.
class CodePointSet {
 public:
  // Adds [first, last], in any order of calls.
  void add(char32_t first, char32_t last);
  void add(const CodePointSet& other);
  CodePointSet complement() const;  // within U+0000 to U+10FFFF
  CodePointSet intersection(const CodePointSet& other) const;
  bool contains(char32_t code_point) const;
  bool empty() const { return ranges_.empty(); }
  bool operator==(const CodePointSet&) const = default;

 private:
  struct Range {
    char32_t first, last;
    bool operator==(const Range&) const = default;
  };
  std::vector<Range> ranges_;  // sorted, apart from each other
};

}  // namespace headlight
