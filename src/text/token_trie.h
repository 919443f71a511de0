#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/vocabulary.h"

namespace headlight {

// The tokens of a vocabulary by their beginnings. 9 bytes a node; of a token only the bytes that it shares with
// another one have nodes.
class TokenTrie {
 public:
  explicit TokenTrie(const Vocabulary& vocabulary);

  // Calls visit(id, length in bytes) for all tokens that the text begins with but the empty one, the shortest
  // first. The vocabulary is the one that the trie was made of.
  template <typename Visit>
  void for_each_prefix(const Vocabulary& vocabulary, std::string_view text, Visit visit) const {
    std::size_t node = 0;
    for (std::size_t depth = 0;; ++depth) {
      const std::int32_t id = ids_[node];
      const bool leaf = children_[node] == children_[node + 1];
      if (leaf) {
        if (id < 0) return;
        const std::string_view token = *vocabulary.token(id);
        if (text.substr(depth).starts_with(token.substr(depth))) visit(id, token.size());
        return;
      }
      if (id >= 0) visit(id, depth);
      if (depth == text.size()) return;
      node = child(node, static_cast<unsigned char>(text[depth]));
      if (node == 0) return;
    }
  }

 private:
  std::size_t child(std::size_t node, std::uint8_t label) const;  // 0: there is none

  // By node, breadth first, the root being 0, so that siblings lie side by side.
  std::vector<std::uint8_t> labels_;  // the byte that leads to it
  std::vector<std::int32_t>
      ids_;  // of the token that ends here or, without children, somewhere below; else -1
  std::vector<std::uint32_t> children_;  // the first child, and one more entry: the number of nodes
};

}  // namespace headlight
