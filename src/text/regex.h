#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/code_point_set.h"

namespace headlight {

// Regular expressions as tokenizer.json has them (Oniguruma's, as Hugging Face's tokenizers take them), in time
// that grows with the length of the text alone.
//
//   literals     any character; \n \r \t \f \v \a \e; \xHH \x{H...} \uHHHH; a backslash before a sign
//   classes      . \s \S \d \D \w \W; [a-z], [^...], classes within classes; \p{..} \p{^..} \P{..} of a general
//                category, a group of them, Any, ASCII, or the scripts Han Hiragana Katakana Hangul Thai Latin
//                Cyrillic Arabic
//   groups       (...) and (?:...), which are the same; (?i:...) and (?i) for ASCII letters
//   repetition   ? * + {m} {m,} {,n} {m,n}, and with ? behind them the fewest first
//   conditions   ^ $ of lines, \A \z of the text, \b \B; (?=...) (?!...); (?<=...) (?<!...) of one character
//
// Of several ways to match at a place the first in the pattern's order counts. Not in it: back references, atomic
// groups, possessive repetition, named groups, longer look-behind, POSIX brackets, intersections of classes.
class Regex {
 public:
  static constexpr std::size_t max_pattern = 4096;  // code points
  static constexpr std::size_t max_depth = 50;      // groups and classes within each other
  static constexpr std::size_t max_program = 4096;  // instructions; repetition writes its operand out
  static constexpr std::size_t max_visits = 16 * max_program;  // of parts of the pattern that are written out
  static constexpr std::size_t max_classes = 64;               // that differ

  // Throws E_UNSUPPORTED_TOKENIZER that names the construct and its place in the pattern.
  explicit Regex(std::u32string_view pattern);
  // Finds `text` as it stands.
  static Regex literal(std::u32string_view text);

  struct Match {
    std::size_t begin, end;
    bool operator==(const Match&) const = default;
  };
  // The matches from left to right, none over another; an empty one not right behind another. Takes
  // (text.size() + 1) * program_size() steps and memory for text.size() numbers.
  std::vector<Match> find_all(std::u32string_view text) const;

  std::size_t program_size() const { return program_.size(); }

 private:
  friend class RegexCompiler;
  Regex() = default;

  enum class Op : std::uint8_t {
    match,
    consume,     // a character of class `argument`
    split,       // `next`, or else `other`
    look,        // goes on if `other` matches here, or with `argument` if it does not
    before,      // goes on if the character before is of class `argument`
    not_before,  // ... or is not, or there is none
    line_begin,
    line_end,
    text_begin,
    text_end,
    word_border,  // `argument` the class \w
    not_word_border
  };
  struct Instruction {
    Op op;
    std::uint8_t argument;
    std::uint16_t next, other;
  };

  std::uint64_t classes_of(char32_t code_point) const;
  void order();

  // In an order in which everything that an instruction needs at the same place goes before it.
  std::vector<Instruction> program_;
  std::uint16_t start_ = 0;
  std::vector<CodePointSet> classes_;
  std::vector<std::uint64_t> ascii_;  // the classes of each ASCII character, a bit each
};

}  // namespace headlight
