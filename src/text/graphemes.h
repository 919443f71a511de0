#pragma once

#include <cstddef>
#include <string_view>

#include "text/unicode_traits.h"

namespace headlight {

// Extended grapheme clusters (Unicode Standard Annex #29), but that flags of regional indicators fall apart: what
// is asked of them here, clusters of less than 6 bytes, none of those is.
class Graphemes {
 public:
  Graphemes();
  // Where the cluster ends that begins at `begin` < text.size().
  std::size_t next_boundary(std::u32string_view text, std::size_t begin) const;

 private:
  unicode::Cluster cluster(char32_t code_point) const;
  CodePointSet sets_[9];  // by Cluster
};

}  // namespace headlight
