#include "text/split_pre_tokenizer.h"

#include <algorithm>
#include <string_view>

#include "text/unicode.h"
#include "text/unicode_traits.h"

namespace headlight {

namespace {

// A part of a piece: a match, or what lies between matches.
struct Stretch {
  std::size_t begin, end;
  bool is_match;
};

// Puts stretches together as the behavior says; those that are still marked as matches are to be dropped.
std::vector<Stretch> merge(std::vector<Stretch> stretches, SplitBehavior behavior) {
  if (behavior == SplitBehavior::removed) return stretches;
  const bool backwards = behavior == SplitBehavior::merged_with_next;
  if (backwards) std::reverse(stretches.begin(), stretches.end());
  std::vector<Stretch> merged;
  bool previous = false;
  for (const Stretch& stretch : stretches) {
    const bool joins = behavior == SplitBehavior::contiguous ? stretch.is_match == previous
                       : behavior == SplitBehavior::isolated ? false
                                                             : stretch.is_match && !previous;
    previous = stretch.is_match;
    if (joins && !merged.empty()) {
      merged.back().begin = std::min(merged.back().begin, stretch.begin);
      merged.back().end = std::max(merged.back().end, stretch.end);
    } else {
      merged.push_back({stretch.begin, stretch.end, false});
    }
  }
  if (backwards) std::reverse(merged.begin(), merged.end());
  return merged;
}

// Cuts every piece at what `Matcher::operator()(text, add)` finds: add(begin, end) for each match in order.
template <typename Matcher>
class Splitter : public PreTokenizer {
 public:
  Splitter(Matcher matcher, SplitBehavior behavior, bool invert = false)
      : matcher_(std::move(matcher)), behavior_(behavior), invert_(invert) {}

  void pre_tokenize(PreTokenizedText& text) const override {
    std::vector<PreTokenizedText::Piece> pieces;
    std::vector<Stretch> stretches;
    for (const auto& piece : text.pieces) {
      const auto part =
          std::u32string_view(text.text.code_points).substr(piece.begin, piece.end - piece.begin);
      stretches.clear();
      std::size_t done = 0;
      matcher_(part, [&](std::size_t begin, std::size_t end) {
        if (done < begin) stretches.push_back({done, begin, invert_});
        stretches.push_back({begin, end, !invert_});
        done = end;
      });
      if (done < part.size()) stretches.push_back({done, part.size(), invert_});
      for (const auto& [begin, end, dropped] : merge(stretches, behavior_)) {
        if (begin < end && !dropped) pieces.push_back({piece.begin + begin, piece.begin + end});
      }
    }
    text.pieces = std::move(pieces);
  }

 private:
  Matcher matcher_;
  SplitBehavior behavior_;
  bool invert_;
};

struct RegexMatcher {
  Regex regex;
  template <typename Add>
  void operator()(std::u32string_view text, Add add) const {
    for (const auto& [begin, end] : regex.find_all(text)) add(begin, end);
  }
};

template <typename Predicate>
struct CharacterMatcher {
  Predicate matches;
  template <typename Add>
  void operator()(std::u32string_view text, Add add) const {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (matches(text[i])) add(i, i + 1);
    }
  }
};

template <typename Predicate>
std::unique_ptr<PreTokenizer> split_at_characters(Predicate matches, SplitBehavior behavior) {
  using Matcher = CharacterMatcher<Predicate>;
  return std::make_unique<Splitter<Matcher>>(Matcher{std::move(matches)}, behavior);
}

enum class Kind { space, word, other };

// Splits into runs of one kind and drops spaces.
class WhitespacePreTokenizer : public PreTokenizer {
 public:
  explicit WhitespacePreTokenizer(bool words) : words_(words) {}

  void pre_tokenize(PreTokenizedText& text) const override {
    std::vector<PreTokenizedText::Piece> pieces;
    for (const auto& [start, end] : text.pieces) {
      Kind previous = Kind::space;
      for (std::size_t i = start; i < end; ++i) {
        const Kind current = kind(text.text.code_points[i]);
        if (current != Kind::space && current != previous) pieces.push_back({i, i});
        if (current != Kind::space) pieces.back().end = i + 1;
        previous = current;
      }
    }
    text.pieces = std::move(pieces);
  }

 private:
  Kind kind(char32_t c) const {
    if (unicode::has(c, unicode::whitespace)) return Kind::space;
    return words_ && unicode::has(c, unicode::word) ? Kind::word : Kind::other;
  }
  bool words_;  // words apart from what else is not whitespace
};

class SequencePreTokenizer : public PreTokenizer {
 public:
  explicit SequencePreTokenizer(std::vector<std::unique_ptr<PreTokenizer>> pre_tokenizers)
      : pre_tokenizers_(std::move(pre_tokenizers)) {}
  void pre_tokenize(PreTokenizedText& text) const override {
    for (const auto& pre_tokenizer : pre_tokenizers_) pre_tokenizer->pre_tokenize(text);
  }

 private:
  std::vector<std::unique_ptr<PreTokenizer>> pre_tokenizers_;
};

}  // namespace

std::unique_ptr<PreTokenizer> make_split_pre_tokenizer(Regex pattern, SplitBehavior behavior, bool invert) {
  return std::make_unique<Splitter<RegexMatcher>>(RegexMatcher{std::move(pattern)}, behavior, invert);
}

std::unique_ptr<PreTokenizer> make_punctuation_pre_tokenizer(SplitBehavior behavior) {
  return split_at_characters([](char32_t c) { return unicode::has(c, unicode::punctuation); }, behavior);
}

std::unique_ptr<PreTokenizer> make_digits_pre_tokenizer(bool individual_digits) {
  return split_at_characters([numbers = unicode::code_points_with(unicode::Trait::number)](
                                 char32_t c) { return numbers.contains(c); },
                             individual_digits ? SplitBehavior::isolated : SplitBehavior::contiguous);
}

std::unique_ptr<PreTokenizer> make_char_delimiter_split(char32_t delimiter) {
  return split_at_characters([delimiter](char32_t c) { return c == delimiter; }, SplitBehavior::removed);
}

std::unique_ptr<PreTokenizer> make_whitespace_pre_tokenizer() {
  return std::make_unique<WhitespacePreTokenizer>(true);
}

std::unique_ptr<PreTokenizer> make_whitespace_split() {
  return std::make_unique<WhitespacePreTokenizer>(false);
}

std::unique_ptr<PreTokenizer> make_sequence_pre_tokenizer(
    std::vector<std::unique_ptr<PreTokenizer>> pre_tokenizers) {
  return std::make_unique<SequencePreTokenizer>(std::move(pre_tokenizers));
}

}  // namespace headlight
