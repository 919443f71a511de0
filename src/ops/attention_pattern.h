// Which keys a query sees: all, a window and a few global tokens, or blocks.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headlight {

// One sequence as the patterns see it; positions count its tokens without padding.
struct SequenceShape {
  std::size_t count;                                // n
  std::size_t padded;                               // with padding, as the caller gave it
  std::size_t offset = 0;                           // padding before the first token
  std::span<const std::size_t> global_tokens = {};  // ascending
};

// Keys begin … end - 1, each counted `weight` times by the softmax.
struct KeyRange {
  std::size_t begin, end;
  float weight = 1;
};

class AttentionPattern {
 public:
  virtual ~AttentionPattern() = default;
  // Appends what a query sees: ranges in ascending order that do not overlap.
  virtual void visible(const SequenceShape& sequence, std::size_t query,
                       std::vector<KeyRange>& keys) const = 0;
};

// Keys at most `reach` away, and the global tokens; a global token sees everything (Longformer: Beltagy, Peters &
// Cohan 2020; without global tokens ModernBERT's local layers: Warner et al. 2024).
class WindowPattern : public AttentionPattern {
 public:
  explicit WindowPattern(std::size_t reach) : reach_(reach) {}
  void visible(const SequenceShape& sequence, std::size_t query, std::vector<KeyRange>& keys) const override;

 private:
  std::size_t reach_;
};

// BigBird (Zaheer et al. 2020): a query's block sees itself, its neighbours, the first, the last and random blocks;
// the first and the last block see everything. As Hugging Face computes it outside of training, every random block is
// the first one, which is so counted 1 + random_blocks times; and a sequence of at most 5 + 2 random_blocks blocks is
// attended to in full.
class BlockSparsePattern : public AttentionPattern {
 public:
  BlockSparsePattern(std::size_t block_size, std::size_t random_blocks)
      : block_size_(block_size), random_blocks_(random_blocks) {}
  void visible(const SequenceShape& sequence, std::size_t query, std::vector<KeyRange>& keys) const override;

 private:
  std::size_t block_size_, random_blocks_;
};

}  // namespace headlight
