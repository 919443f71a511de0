#include "tasks/encode.h"
#include "concat.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headlight {
namespace {

// Tokens of text and of text_pair, and the UTF-16 unit up to which these reach.
struct Extent {
  std::size_t tokens = 0;
  std::uint32_t end = 0;
};

std::array<Extent, 2> extents(const Encoding& encoding) {
  std::array<Extent, 2> result;
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    if (encoding.sequence_ids[i] < 0) continue;
    Extent& extent = result.at(static_cast<std::size_t>(encoding.sequence_ids[i]));
    ++extent.tokens;
    extent.end = std::max(extent.end, encoding.offsets[i].end);
  }
  return result;
}

}  // namespace

FittedEncoding encode_to_fit(const Model& model, std::span<const Input> inputs, std::size_t index,
                             Overlong overlong, bool parse_special_tokens) {
  const std::size_t limit = model.info().max_length;
  TokenizeOptions options{.overflow = false, .parse_special_tokens = parse_special_tokens};
  Encoding whole = model.tokenizer().encode(inputs[index], options);
  if (whole.size() <= limit) return {std::move(whole), {}};

  if (overlong == Overlong::error) {
    const std::string which = inputs.size() > 1 ? "input " + std::to_string(index) : "the input";
    throw Error(ErrorCode::E_TOO_LONG,
                concat({which, " has ", whole.size(),
                        " tokens, special ones included; the model reads at most ", limit}));
  }
  FittedEncoding fitted;
  options.max_length = limit;
  options.truncation = Truncation::longest_first;
  fitted.encoding = model.tokenizer().encode(inputs[index], options);
  const auto all = extents(whole);
  const auto read = extents(fitted.encoding);
  for (const bool pair : {false, true}) {
    if (read[pair].tokens < all[pair].tokens) fitted.truncated.push_back({pair, read[pair].end});
  }
  return fitted;
}

std::string describe(const ModelInfo& info) {
  return info.architecture.empty() ? "a bare " + info.family + " encoder" : info.architecture;
}

}  // namespace headlight
