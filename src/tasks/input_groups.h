// The work behind a task over many inputs: they go through the encoder in groups, so that memory stays bounded
// whatever their number, and short texts share a pass over the weights. A text is tokenized when its turn comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "headlight.h"

namespace headlight {

class InputGroups {
 public:
  // What a task knows of its inputs; called in their order.
  class Source {
   public:
    virtual ~Source() = default;
    // The passages that input makes, at least one. Their `overflow` is not looked at.
    virtual std::vector<Encoding> encode(std::size_t input) = 0;
    virtual ForwardOptions group_options(std::size_t first) const = 0;
    virtual bool may_share_group(std::size_t /*first*/, std::size_t /*other*/) const { return true; }
    // One ForwardResult a passage.
    virtual void conclude(std::size_t input, std::vector<ForwardResult> passages) = 0;
  };

  // work: multiply-adds that each input is thought to take, as input_work().
  InputGroups(const Model& model, Source& source, std::vector<std::uint64_t> work);

  bool step(std::uint64_t work);  // as Run's
  std::uint64_t work_done() const;
  std::uint64_t work_total() const { return total_; }

 private:
  struct Passage {
    std::size_t input;
    Encoding encoding;
  };
  struct Pending {  // an input whose passages are not all concluded
    std::size_t input;
    std::size_t passages;
    std::vector<ForwardResult> results;
  };

  bool passage_waits() const { return next_passage_ < waiting_.size(); }
  bool more() const { return passage_waits() || next_input_ < work_.size(); }
  bool fetch();  // true where a passage waits
  void begin_group();
  void finish_group();

  static constexpr std::size_t kGroupTokens = 512;  // unless one passage alone is longer

  const Model& model_;
  Source& source_;
  std::vector<std::uint64_t> work_;
  std::size_t next_input_ = 0;    // to be encoded
  std::vector<Passage> waiting_;  // of one input, from next_passage_ on
  std::size_t next_passage_ = 0;
  std::vector<Pending> pending_;
  std::unique_ptr<Task<ForwardResult>> forward_;  // of a group; null between groups
  std::uint64_t group_work_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

// Multiply-adds of the encoder for an input, by its length in bytes, in passages of at most `limit` tokens; to the
// leading terms: per layer four projections, the feed-forward and the two products of attention.
std::uint64_t input_work(const ModelInfo& info, const Input& input, std::size_t limit, bool windows);

}  // namespace headlight
