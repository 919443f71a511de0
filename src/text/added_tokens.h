#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/normalizer.h"
#include "text/vocabulary.h"

namespace headlight {

struct AddedToken {
  std::string content;
  bool single_word = false;  // not within a word
  bool lstrip = false;       // takes the whitespace before it
  bool rstrip = false;       // takes the whitespace after it
  bool normalized = false;   // is found in normalized text, by its own normalized spelling
  bool special = false;      // is left out by decode(skip_special_tokens)
};

// Tokens that are found in the text before the model sees it.
class AddedTokens {
 public:
  // Ids: the vocabulary's where it holds the content; else the next ones after it, in the order given. Of
  // tokens of the same content the last one's flags count, but a special token stays where it is looked for: in
  // the original or the normalized text. Empty ones are ignored.
  AddedTokens(const std::vector<AddedToken>& tokens, const Vocabulary& vocabulary,
              const Normalizer* normalizer);

  std::optional<std::int32_t> find(std::string_view content) const;

  struct Entry {
    std::int32_t id;
    AddedToken token;
    std::string found_as;  // what is looked for in the text: of a normalized token, its normalized spelling
  };
  const Entry* entry(std::int32_t id) const;       // null where no added token has the id
  std::int32_t id_end() const { return id_end_; }  // greatest id + 1; 0 without added tokens

  enum class Text { original, normalized };
  struct Stretch {
    std::size_t begin, end;  // code points
    std::optional<std::int32_t> id;
  };
  // Cuts a text, original or normalized, into added tokens of that kind and what lies between them. The
  // stretches cover it. parse_special false: special tokens are not looked for.
  std::vector<Stretch> split(std::u32string_view text, Text kind, bool parse_special) const;

 private:
  struct Pattern {
    std::u32string text;
    std::size_t entry;
  };
  struct Match {
    std::size_t length;
    std::size_t entry;
  };
  // The longest pattern at the beginning of the text.
  static std::optional<Match> match(const std::vector<Pattern>& patterns, std::u32string_view text);

  std::vector<Entry> entries_;
  std::map<std::string, std::uint64_t> by_content_;  // indices of entries
  std::vector<std::size_t> by_id_;                   // indices of entries, by rising ids
  std::int32_t id_end_ = 0;
  std::vector<Pattern> original_, normalized_;  // sorted by text
};

}  // namespace headlight
