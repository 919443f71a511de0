#include "text/added_tokens.h"
#include "heap_sort.h"

#include <algorithm>

#include "text/unicode.h"
#include "text/utf8.h"

namespace headlight {

AddedTokens::AddedTokens(const std::vector<AddedToken>& tokens, const Vocabulary& vocabulary,
                         const Normalizer* normalizer) {
  // Where each entry is looked for. As in Hugging Face's tokenizers that is not changed any more once a token is
  // special, though its other flags are.
  struct Places {
    bool original = false, normalized = false, settled = false;
  };
  std::vector<Places> places;
  for (const AddedToken& token : tokens) {
    if (token.content.empty()) continue;
    const auto [known, is_new] = by_content_.try_emplace(token.content, entries_.size());
    if (is_new) {
      const auto next = std::max(id_end_, static_cast<std::int32_t>(vocabulary.size()));
      const std::int32_t id = vocabulary.find(token.content).value_or(next);
      by_id_.push_back(entries_.size());
      id_end_ = std::max(id_end_, id + 1);
      entries_.push_back({id, token, {}});
      places.emplace_back();
    } else {
      entries_[known->second].token = token;
    }
    Places& place = places[known->second];
    if (place.settled) continue;
    (token.normalized ? place.normalized : place.original) = true;
    place.settled = token.special;
  }

  heap_sort(by_id_.begin(), by_id_.end(),
            [this](std::size_t a, std::size_t b) { return entries_[a].id < entries_[b].id; });

  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const AddedToken& token = entries_[i].token;
    std::u32string text = decode_utf8(token.content), normalized = text;
    if (normalizer != nullptr) {
      AlignedText aligned(text, 0);
      normalizer->normalize(aligned);
      normalized = std::move(aligned.code_points);
    }
    entries_[i].found_as = encode_utf8(token.normalized ? normalized : text);
    if (places[i].original) original_.push_back({std::move(text), i});
    if (places[i].normalized && !normalized.empty()) normalized_.push_back({std::move(normalized), i});
  }
  // Of patterns that are spelt alike a special token's is found, else the first.
  const auto before = [this](const Pattern& a, const Pattern& b) {
    if (const int order = a.text.compare(b.text); order != 0) return order < 0;
    const bool a_special = entries_[a.entry].token.special, b_special = entries_[b.entry].token.special;
    return a_special != b_special ? a_special : a.entry < b.entry;
  };
  heap_sort(original_.begin(), original_.end(), before);
  heap_sort(normalized_.begin(), normalized_.end(), before);
}

std::optional<std::int32_t> AddedTokens::find(std::string_view content) const {
  const auto found = by_content_.find(std::string(content));
  if (found == by_content_.end()) return std::nullopt;
  return entries_[found->second].id;
}

const AddedTokens::Entry* AddedTokens::entry(std::int32_t id) const {
  const auto found =
      std::lower_bound(by_id_.begin(), by_id_.end(), id,
                       [this](std::size_t i, std::int32_t wanted) { return entries_[i].id < wanted; });
  return found == by_id_.end() || entries_[*found].id != id ? nullptr : &entries_[*found];
}

std::optional<AddedTokens::Match> AddedTokens::match(const std::vector<Pattern>& patterns,
                                                     std::u32string_view text) {
  std::optional<Match> longest;
  auto begin = patterns.begin(), end = patterns.end();
  // Narrows the sorted patterns down to those that share one more code point with the text.
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto before = [length](const Pattern& pattern, char32_t c) { return pattern.text[length] < c; };
    const auto after = [length](char32_t c, const Pattern& pattern) { return c < pattern.text[length]; };
    begin = std::lower_bound(begin, end, text[length], before);
    end = std::upper_bound(begin, end, text[length], after);
    if (begin == end) break;
    if (begin->text.size() == length + 1) {
      longest = Match{length + 1, begin->entry};
      // A pattern that ends here has no next code point to compare.
      while (begin != end && begin->text.size() == length + 1) ++begin;
    }
  }
  return longest;
}

std::vector<AddedTokens::Stretch> AddedTokens::split(std::u32string_view text, Text kind,
                                                     bool parse_special) const {
  const std::vector<Pattern>& patterns = kind == Text::original ? original_ : normalized_;
  std::vector<Stretch> stretches;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size() && !patterns.empty();) {
    const std::optional<Match> match = AddedTokens::match(patterns, text.substr(at));
    if (!match) {
      ++at;
      continue;
    }
    std::size_t begin = at, end = at + match->length;
    at = end;
    const auto& [id, token, found_as] = entries_[match->entry];
    if (token.special && !parse_special) continue;
    const auto is_word = [](char32_t c) { return unicode::has(c, unicode::word); };
    const auto is_space = [](char32_t c) { return unicode::has(c, unicode::whitespace); };
    if (token.single_word &&
        ((begin > 0 && is_word(text[begin - 1])) || (end < text.size() && is_word(text[end])))) {
      continue;
    }
    if (token.lstrip) {
      while (begin > done && is_space(text[begin - 1])) --begin;
    }
    if (token.rstrip) {
      while (end < text.size() && is_space(text[end])) ++end;
    }
    begin = std::max(begin, done);
    if (begin >= end) continue;
    if (done < begin) stretches.push_back({done, begin, std::nullopt});
    stretches.push_back({begin, end, id});
    done = end;
  }
  if (done < text.size()) stretches.push_back({done, text.size(), std::nullopt});
  return stretches;
}

}  // namespace headlight
