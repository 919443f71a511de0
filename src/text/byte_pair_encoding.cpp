#include "text/byte_pair_encoding.h"
#include "heap_sort.h"
#include "throw_error.h"

#include <algorithm>
#include <limits>
#include <queue>

#include "headlight.h"
#include "text/byte_token.h"
#include "text/utf8.h"

namespace headlight {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// A pair that may be merged: what it began as may be gone by the time its turn comes.
struct Candidate {
  std::int32_t rank;
  std::uint32_t left;  // index of the first symbol
  std::int32_t merged;
  bool operator<(const Candidate& other) const {  // std::priority_queue takes the greatest
    return rank != other.rank ? rank > other.rank : left > other.left;
  }
};

}  // namespace

// A link of the list of tokens that a piece is at the moment.
struct BytePairEncoding::Symbol {
  std::int32_t id;
  std::uint32_t length;  // bytes; 0 once merged into the one before
  std::uint32_t previous, next;
};

BytePairEncoding::BytePairEncoding(Vocabulary vocabulary, const MergeList& merges, Options options,
                                   const std::string& file)
    : vocabulary_(std::move(vocabulary)), options_(std::move(options)) {
  const auto refuse = [&file](std::size_t i, const TextPiece& problem) {
    throw_error(ErrorCode::E_INVALID_TOKENIZER, {"Merge ", i, " ", problem}, {.file = file});
  };
  const auto id_of = [&](std::size_t i, std::string_view token) {
    const auto id = vocabulary_.find(token);
    if (!id) refuse(i, {"needs \"", token, "\", which is no token of the vocabulary"});
    return *id;
  };
  struct Entry {
    std::int32_t left;
    Merge merge;
  };
  std::vector<Entry> entries;
  entries.reserve(merges.size());
  std::string merged;
  for (std::size_t i = 0; i < merges.size(); ++i) {
    const auto [left, right] = merges[i];
    if (right.size() < options_.continuing_subword_prefix.size()) refuse(i, "lacks the continuing prefix");
    merged.assign(left).append(right.substr(options_.continuing_subword_prefix.size()));
    const auto rank = static_cast<std::int32_t>(i);
    entries.push_back({id_of(i, left), {id_of(i, right), rank, id_of(i, merged)}});
  }

  // Of a pair that is named twice the last rank counts: it goes first here and hides the others.
  heap_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    if (a.left != b.left) return a.left < b.left;
    return a.merge.right != b.merge.right ? a.merge.right < b.merge.right : a.merge.rank > b.merge.rank;
  });
  first_merges_.resize(static_cast<std::size_t>(vocabulary_.id_end()) + 1);
  merges_.reserve(entries.size());
  for (const Entry& entry : entries) {
    ++first_merges_[static_cast<std::size_t>(entry.left) + 1];
    merges_.push_back(entry.merge);
  }
  for (std::size_t i = 1; i < first_merges_.size(); ++i) first_merges_[i] += first_merges_[i - 1];
}

void BytePairEncoding::tokenize(std::string_view piece, std::vector<Token>& tokens) const {
  if (options_.ignore_merges) {
    if (const auto id = vocabulary_.find(piece)) {
      tokens.push_back({*id, 0, piece.size()});
      return;
    }
  }
  std::vector<Symbol> symbols = split(piece);
  merge(symbols);
  std::size_t begin = 0;
  for (const Symbol& symbol : symbols) {
    if (symbol.length == 0) continue;
    // With a continuing prefix, tokens of bytes count the prefix's bytes, too, and run past the piece.
    const std::size_t end = std::min(begin + symbol.length, piece.size());
    tokens.push_back({symbol.id, std::min(begin, piece.size() - 1), end});
    begin = end;
  }
}

// The code points of a piece as tokens, in Hugging Face's tokenizers' order: an unknown code point waits for the
// next one that is a token or unknown.
std::vector<BytePairEncoding::Symbol> BytePairEncoding::split(std::string_view piece) const {
  std::vector<Symbol> symbols;
  std::optional<Symbol> unknown;
  std::string decorated;
  for (std::size_t begin = 0; begin < piece.size();) {
    std::size_t end = begin + 1;
    while (end < piece.size() && !begins_code_point(piece[end])) ++end;
    std::string_view text = piece.substr(begin, end - begin);
    const auto length = static_cast<std::uint32_t>(text.size());
    const bool prefixed = begin > 0 && !options_.continuing_subword_prefix.empty();
    const bool suffixed = end == piece.size() && !options_.end_of_word_suffix.empty();
    if (prefixed || suffixed) {
      decorated.assign(prefixed ? options_.continuing_subword_prefix : std::string());
      decorated.append(text).append(suffixed ? options_.end_of_word_suffix : std::string());
      text = decorated;
    }
    begin = end;

    if (const auto id = vocabulary_.find(text)) {
      if (unknown) symbols.push_back(*unknown);
      unknown.reset();
      symbols.push_back({*id, length, 0, 0});
    } else if (options_.byte_fallback && append_bytes(text, symbols)) {
      continue;
    } else if (options_.unk_token) {
      if (unknown && options_.fuse_unk) {
        unknown->length += length;
      } else {
        if (unknown) symbols.push_back(*unknown);
        unknown = Symbol{unk_id(), length, 0, 0};
      }
    }
  }
  if (unknown) symbols.push_back(*unknown);
  return symbols;
}

// Appends the tokens of a text's bytes if there are such tokens for all of them.
bool BytePairEncoding::append_bytes(std::string_view text, std::vector<Symbol>& symbols) const {
  const std::size_t already = symbols.size();
  for (const char byte : text) {
    const auto id = vocabulary_.find(byte_token(static_cast<unsigned char>(byte)));
    if (!id) {
      symbols.resize(already);
      return false;
    }
    symbols.push_back({*id, 1, 0, 0});
  }
  return true;
}

void BytePairEncoding::merge(std::vector<Symbol>& symbols) const {
  std::priority_queue<Candidate> candidates;
  const auto consider = [&](std::uint32_t left, std::uint32_t right) {
    if (const Merge* merge = find_merge(symbols[left].id, symbols[right].id)) {
      candidates.push({merge->rank, left, merge->merged});
    }
  };
  const auto size = static_cast<std::uint32_t>(symbols.size());
  for (std::uint32_t i = 0; i < size; ++i) {
    symbols[i].previous = i == 0 ? none : i - 1;
    symbols[i].next = i + 1 == size ? none : i + 1;
    if (i + 1 < size) consider(i, i + 1);
  }

  while (!candidates.empty()) {
    const Candidate best = candidates.top();
    candidates.pop();
    Symbol& left = symbols[best.left];
    if (left.length == 0 || left.next == none) continue;
    Symbol& right = symbols[left.next];
    const Merge* merge = find_merge(left.id, right.id);
    if (merge == nullptr || merge->merged != best.merged) continue;  // one of the two has been merged since

    left.id = best.merged;
    left.length += right.length;
    left.next = right.next;
    right.length = 0;
    if (left.next != none) symbols[left.next].previous = best.left;
    if (left.previous != none) consider(left.previous, best.left);
    if (left.next != none) consider(best.left, left.next);
  }
}

const BytePairEncoding::Merge* BytePairEncoding::find_merge(std::int32_t left, std::int32_t right) const {
  const auto begin = merges_.begin() + first_merges_[static_cast<std::size_t>(left)];
  const auto end = merges_.begin() + first_merges_[static_cast<std::size_t>(left) + 1];
  const auto found = std::lower_bound(begin, end, right,
                                      [](const Merge& merge, std::int32_t id) { return merge.right < id; });
  return found == end || found->right != right ? nullptr : &*found;
}

std::int32_t BytePairEncoding::unk_id() const {
  const auto id = vocabulary_.find(*options_.unk_token);
  if (!id) {
    throw_error(ErrorCode::E_INVALID_TOKENIZER,
                {"The vocabulary lacks the unknown token \"", *options_.unk_token, "\""});
  }
  return *id;
}

}  // namespace headlight
