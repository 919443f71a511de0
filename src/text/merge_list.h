#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

// Pairs of tokens by falling priority, as files list them. The spellings lie in one block of bytes.
class MergeList {
 public:
  // The bytes of all spellings together must stay below 4 GB.
  void add(std::string_view left, std::string_view right) {
    add_part(left);
    add_part(right);
  }
  // Two spellings with a space between; false for any other line.
  bool add_line(std::string_view line) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos) return false;
    add(line.substr(0, space), line.substr(space + 1));
    return true;
  }
  // One half of a pair; halves come in turn.
  void add_part(std::string_view part) {
    bytes_ += part;
    ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  }

  std::size_t size() const { return ends_.size() / 2; }
  std::pair<std::string_view, std::string_view> operator[](std::size_t i) const {
    return {part(2 * i), part(2 * i + 1)};
  }

 private:
  std::string_view part(std::size_t i) const {
    const std::uint32_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(bytes_).substr(begin, ends_[i] - begin);
  }

  std::string bytes_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace headlight
