#include "tasks/encode.h"
#include "concat.h"
#include "throw_error.h"

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

// Of the windows that are not told theirs, in tokens. Where text_pair has little room, windows still advance by a quarter
// of it.
constexpr std::size_t kMostStride = 128;

FittedEncoding windows(const Model& model, const Input& input, std::string_view name, const Encoding& whole,
                       const TextOptions& options, std::size_t limit) {
  const std::size_t cut = extents(whole)[input.text_pair ? 1 : 0].tokens;
  const std::size_t others = whole.size() - cut;  // tokens of every window
  if (others >= limit) {
    throw_error(ErrorCode::E_TOO_LONG, {"the first text and the special tokens of ", name, " are ", others,
                                        " tokens, which leaves no room for windows of ", limit});
  }
  const std::size_t room = limit - others;
  const std::size_t stride = options.stride.value_or(std::min({limit / 2, kMostStride, room * 3 / 4}));
  return {model.tokenizer().encode(
              input, {.max_length = limit,
                      .truncation = input.text_pair ? Truncation::only_second : Truncation::only_first,
                      .stride = stride,
                      .parse_special_tokens = options.parse_special_tokens,
                      .for_model = true}),
          {}};
}

}  // namespace

std::size_t passage_limit(const ModelInfo& info, const TextOptions& options) {
  return std::min(info.max_length, options.max_length.value_or(info.max_length));
}

std::string name_of_input(std::size_t index, std::size_t count) {
  return count > 1 ? concat({"input ", index}) : "the input";
}

FittedEncoding encode_to_fit(const Model& model, const Input& input, std::string_view name,
                             const TextOptions& options, Truncation truncation) {
  const std::size_t limit = passage_limit(model.info(), options);
  TokenizeOptions tokenize{
      .overflow = false, .parse_special_tokens = options.parse_special_tokens, .for_model = true};
  Encoding whole = model.tokenizer().encode(input, tokenize);
  if (whole.size() <= limit) return {std::move(whole), {}};
  if (options.overlong == Overlong::window) return windows(model, input, name, whole, options, limit);
  if (options.overlong == Overlong::error) {
    throw_error(ErrorCode::E_TOO_LONG, {name, " has ", whole.size(),
                                        " tokens, special ones included; the model reads at most ", limit});
  }
  FittedEncoding fitted;
  tokenize.max_length = limit;
  tokenize.truncation = truncation;
  fitted.encoding = model.tokenizer().encode(input, tokenize);
  const auto all = extents(whole);
  const auto read = extents(fitted.encoding);
  for (const bool pair : {false, true}) {
    if (read[pair].tokens < all[pair].tokens) fitted.truncated.push_back({pair, read[pair].end});
  }
  return fitted;
}

std::vector<Encoding> passages_of(Encoding encoding) {
  std::vector<Encoding> passages = std::move(encoding.overflow);
  encoding.overflow.clear();
  passages.insert(passages.begin(), std::move(encoding));
  return passages;
}

std::string describe(const ModelInfo& info) {
  return info.architecture.empty() ? "a bare " + info.family + " encoder" : info.architecture;
}

bool fits(const ModelInfo& info, std::string_view task) {
  return std::find(info.tasks.begin(), info.tasks.end(), task) != info.tasks.end();
}

void require_task(const ModelInfo& info, std::string_view task, std::string_view needs) {
  if (fits(info, task)) return;
  throw_error(ErrorCode::E_TASK_MISMATCH, {task, " needs ", needs, "; the model is ", describe(info)});
}

void refuse_windows(const TextOptions& options, std::string_view task) {
  if (options.overlong != Overlong::window) return;
  throw_error(ErrorCode::E_INVALID_ARGUMENT, {task, " reads no windows: overlong must be truncate or error"});
}

}  // namespace headlight
