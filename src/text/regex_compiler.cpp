#include <algorithm>
#include <memory>
#include <optional>

#include "headlight.h"
#include "text/regex.h"
#include "text/unicode_traits.h"
#include "text/utf8.h"
#include "throw_error.h"

namespace headlight {

namespace {

using unicode::Trait;

constexpr std::uint32_t unbounded = static_cast<std::uint32_t>(-1);

// What a pattern is made of.
struct Node {
  enum class Kind { empty, consume, sequence, alternatives, repeat, look, condition };
  Kind kind = Kind::empty;
  std::uint8_t argument = 0;  // class; of look, whether it must not match
  int condition = 0;          // Regex::Op
  std::uint32_t min = 0, max = 0;
  bool lazy = false;
  std::vector<Node> children = {};
  bool captures = false;     // or something within does
  bool can_be_empty = true;  // set by find_empty

  void find_empty() {
    for (Node& child : children) {
      child.find_empty();
      captures = captures || child.captures;
    }
    const auto empty = [](const Node& child) { return child.can_be_empty; };
    if (kind == Kind::consume) can_be_empty = false;
    if (kind == Kind::sequence) can_be_empty = std::all_of(children.begin(), children.end(), empty);
    if (kind == Kind::alternatives) can_be_empty = std::any_of(children.begin(), children.end(), empty);
    if (kind == Kind::repeat) can_be_empty = min == 0 || children[0].can_be_empty;
  }
};

bool is_letter(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'); }

// U+017F and U+212A fold to s and k.
constexpr char32_t long_s = 0x17F, kelvin = 0x212A;

CodePointSet single(char32_t c) {
  CodePointSet set;
  set.add(c, c);
  return set;
}

CodePointSet whitespace() {
  constexpr char32_t ranges[][2] = {{0x9, 0xD},       {0x20, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},
                                    {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F},
                                    {0x205F, 0x205F}, {0x3000, 0x3000}};
  CodePointSet set;
  for (const auto& [first, last] : ranges) set.add(first, last);
  return set;
}

// \w. Oniguruma has six numbers of Latin-1 in it, but not within a class.
CodePointSet word(bool in_class) {
  CodePointSet set = unicode::code_points_with(Trait::word);
  if (!in_class) return set;
  CodePointSet numbers;
  for (const char32_t c : {0xB2, 0xB3, 0xB9, 0xBC, 0xBD, 0xBE}) numbers.add(c, c);
  return set.intersection(numbers.complement());
}

}  // namespace

class RegexCompiler {
 public:
  explicit RegexCompiler(std::u32string_view pattern) : pattern_(pattern) {
    if (pattern.size() > Regex::max_pattern) refuse("more than 4096 characters", 0);
  }

  Regex compile() {
    Node root = parse_alternatives();
    if (!at_end()) refuse("an unmatched )", at_);
    return finish(root);
  }

  Regex compile_literal() {
    Node root{.kind = Node::Kind::sequence};
    for (const char32_t c : pattern_) root.children.push_back(consume(single(c)));
    return finish(root);
  }

 private:
  using Op = Regex::Op;
  using Kind = Node::Kind;

  [[noreturn]] void refuse(const TextPiece& what, std::size_t at) const {
    throw_error(ErrorCode::E_UNSUPPORTED_TOKENIZER,
                {"the regular expression \"", encode_utf8(pattern_.substr(0, 200)), "\" has ", what,
                 " at character ", at + 1});
  }

  // ---- parsing

  bool at_end() const { return at_ == pattern_.size(); }
  bool ahead(std::u32string_view text) const { return pattern_.substr(at_).starts_with(text); }
  bool take(std::u32string_view text) {
    if (!ahead(text)) return false;
    at_ += text.size();
    return true;
  }
  char32_t take_any(const char* missing) {
    if (at_end()) refuse({"an end where ", missing, " should be"}, at_);
    return pattern_[at_++];
  }

  // Counts how deep groups and classes are within each other.
  class Nesting {
   public:
    explicit Nesting(RegexCompiler& compiler) : depth_(compiler.depth_) {
      if (++depth_ > Regex::max_depth) compiler.refuse("groups more than 50 deep", compiler.at_);
    }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    std::size_t& depth_;
  };

  Node parse_alternatives() {
    const Nesting nesting(*this);
    const bool ignores_case = ignores_case_;
    Node node{.kind = Kind::alternatives};
    do node.children.push_back(parse_sequence());
    while (take(U"|"));
    ignores_case_ = ignores_case;
    if (node.children.size() > 1) return node;
    Node only = std::move(node.children[0]);
    return only;
  }

  Node parse_sequence() {
    Node node{.kind = Kind::sequence};
    while (!at_end() && !ahead(U"|") && !ahead(U")")) {
      Node item = parse_item();
      while (parse_repetition(item)) {
      }
      node.children.push_back(std::move(item));
    }
    return node;
  }

  Node parse_item() {
    const std::size_t start = at_;
    const char32_t c = pattern_[at_++];
    switch (c) {
      case U'(':
        return parse_group(start);
      case U'[':
        return consume(parse_class());
      case U'\\':
        return parse_escape();
      case U'^':
        return condition(Op::line_begin);
      case U'$':
        return condition(Op::line_end);
      case U'.':
        return consume(single(U'\n').complement());
      case U'?':
      case U'*':
      case U'+':
        refuse("a repetition of nothing", start);
      default:
        return character(c, start);
    }
  }

  Node parse_group(std::size_t start) {
    Node node;
    if (take(U"?=") || take(U"?!")) {
      node = {.kind = Kind::look, .argument = pattern_[at_ - 1] == U'!'};
      node.children.push_back(parse_alternatives());
    } else if (take(U"?<=") || take(U"?<!")) {
      const Op op = pattern_[at_ - 1] == U'!' ? Op::not_before : Op::before;
      Node inner = parse_alternatives();
      while (inner.kind == Kind::sequence && inner.children.size() == 1) inner = Node(inner.children[0]);
      if (inner.kind != Kind::consume) refuse("a look-behind of other than one character", start);
      node = condition(op, inner.argument);
    } else if (take(U"?i)")) {
      // For what follows in the group around it, alternatives included.
      ignores_case_ = true;
      return parse_alternatives();
    } else if (take(U"?i:")) {
      const bool before = ignores_case_;
      ignores_case_ = true;
      node = parse_alternatives();
      ignores_case_ = before;
    } else if (take(U"?:") || !ahead(U"?")) {
      if (ahead(U"*")) refuse("a call, (*", start);
      const bool captures = pattern_[at_ - 1] == U'(';
      node = parse_alternatives();
      node.captures = captures;
    } else {
      refuse({"the group ", encode_utf8(pattern_.substr(start, 4))}, start);
    }
    if (!take(U")")) refuse("an unmatched (", start);
    return node;
  }

  std::optional<std::uint32_t> parse_number() {
    std::optional<std::uint32_t> number;
    while (!at_end() && pattern_[at_] >= U'0' && pattern_[at_] <= U'9') {
      number =
          std::min<std::uint32_t>(number.value_or(0) * 10 + (pattern_[at_++] - U'0'), Regex::max_program);
    }
    return number;
  }

  // {m}, {m,}, {,n} or {m,n}; anything else is text.
  bool parse_interval(Node& repeat) {
    const std::size_t start = at_;
    if (take(U"{")) {
      const auto min = parse_number();
      const bool comma = take(U",");
      const auto max = comma ? parse_number() : min;
      if (take(U"}") && (min || max)) {
        repeat.min = min.value_or(0);
        repeat.max = max.value_or(unbounded);
        if (repeat.min > repeat.max) refuse("a repetition from more to less", start);
        return true;
      }
    }
    at_ = start;
    return false;
  }

  bool parse_repetition(Node& item) {
    const std::size_t start = at_;
    Node repeat{.kind = Kind::repeat, .max = unbounded};
    bool interval = false;
    if (take(U"?")) {
      repeat.max = 1;
    } else if (take(U"+")) {
      repeat.min = 1;
    } else if (!take(U"*")) {
      interval = parse_interval(repeat);
      if (!interval) return false;
    }
    if (ahead(U"+") && !interval) refuse("a possessive repetition", start);
    if (ahead(U"?")) {
      if (interval && repeat.min == repeat.max) refuse("{n}?", start);
      ++at_;
      repeat.lazy = true;
    }
    if (item.kind == Kind::look || item.kind == Kind::condition) refuse("a repetition of a condition", start);
    if (++repetitions_ > Regex::max_depth * 4) refuse("more than 200 repetitions", start);
    repeat.children.push_back(std::move(item));
    item = std::move(repeat);
    return true;
  }

  Node character(char32_t c, std::size_t start) {
    CodePointSet set = single(c);
    if (ignores_case_) {
      // Oniguruma also finds letters that fold to several; what it would find so is refused.
      static constexpr std::u32string_view together[] = {U"ss", U"ff", U"fi", U"fl", U"st"};
      const auto lower = [this](std::size_t at) {
        const char32_t letter = at < pattern_.size() ? pattern_[at] : 0;
        return letter >= U'A' && letter <= U'Z' ? letter + 32 : letter;
      };
      const char32_t pair[] = {lower(start), lower(start + 1)};
      if (std::ranges::find(together, std::u32string_view(pair, 2)) != std::end(together)) {
        refuse("letters under (?i) that have a ligature", start);
      }
      fold(set, start);
    }
    return consume(set);
  }

  // Adds the other case of ASCII letters.
  void fold(CodePointSet& set, std::size_t start) const {
    for (char32_t upper = U'A'; upper <= U'Z'; ++upper) {
      const char32_t lower = upper + 32;
      const char32_t third = upper == U'S' ? long_s : upper == U'K' ? kelvin : lower;
      if (!set.contains(upper) && !set.contains(lower) && !set.contains(third)) continue;
      for (const char32_t c : {upper, lower, third}) set.add(c, c);
    }
    CodePointSet cased = *unicode::code_points_of_property("LC");
    CodePointSet beyond;
    beyond.add(0x80, 0x10FFFF);
    CodePointSet folded = single(long_s);
    folded.add(kelvin, kelvin);
    cased = cased.intersection(beyond).intersection(folded.complement());
    const CodePointSet both = set.intersection(cased);
    if (!both.empty() && !(both == cased)) refuse("letters beyond ASCII under (?i)", start);
  }

  char32_t parse_hexadecimal(std::size_t most, std::size_t start) {
    char32_t value = 0;
    std::size_t digits = 0;
    for (; digits < most && !at_end(); ++digits, ++at_) {
      const char32_t c = pattern_[at_];
      const char32_t digit = c >= U'0' && c <= U'9'                 ? c - U'0'
                             : (c | 32) >= U'a' && (c | 32) <= U'f' ? (c | 32) - U'a' + 10
                                                                    : 16;
      if (digit == 16) break;
      value = value * 16 + digit;
    }
    if (digits == 0 || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
      refuse("no code point", start);
    return value;
  }

  // What a backslash and the next characters stand for within and outside of classes.
  struct Escape {
    std::optional<char32_t> character;
    CodePointSet set;
  };
  Escape parse_escaped(bool in_class) {
    const std::size_t start = at_ - 1;
    const char32_t c = take_any("an escaped character");
    switch (c) {
      case U'n':
        return {U'\n', {}};
      case U'r':
        return {U'\r', {}};
      case U't':
        return {U'\t', {}};
      case U'f':
        return {U'\f', {}};
      case U'v':
        return {U'\v', {}};
      case U'a':
        return {U'\a', {}};
      case U'e':
        return {char32_t{0x1B}, {}};
      case U's':
        return {{}, whitespace()};
      case U'S':
        return {{}, whitespace().complement()};
      case U'd':
        return {{}, *unicode::code_points_of_property("Nd")};
      case U'D':
        return {{}, unicode::code_points_of_property("Nd")->complement()};
      case U'w':
        return {{}, word(in_class)};
      case U'W':
        return {{}, word(in_class).complement()};
      case U'p':
      case U'P':
        return {{}, parse_property(c == U'P', start)};
      case U'u':
        return {parse_hexadecimal(4, start), {}};
      case U'x': {
        if (!take(U"{")) return {parse_hexadecimal(2, start), {}};
        const char32_t value = parse_hexadecimal(6, start);
        if (!take(U"}")) refuse("an unmatched {", start);
        return {value, {}};
      }
      default:
        break;
    }
    if (is_letter(c) || (c >= U'0' && c <= U'9') || c >= 0x80) refuse({"\\", encode_utf8({&c, 1})}, start);
    return {c, {}};
  }

  CodePointSet parse_property(bool negated, std::size_t start) {
    if (!take(U"{")) refuse("\\p without {", start);
    if (take(U"^")) negated = !negated;
    const std::size_t end = pattern_.find(U'}', at_);
    if (end == std::u32string_view::npos) refuse("an unmatched {", start);
    const std::string name = encode_utf8(pattern_.substr(at_, end - at_));
    const auto set = unicode::code_points_of_property(name);
    if (!set) refuse({"\\p{", name, "}"}, start);
    at_ = end + 1;
    return negated ? set->complement() : *set;
  }

  Node parse_escape() {
    const std::size_t start = at_ - 1;
    if (take(U"b")) return condition(Op::word_border, add_class(word(false)));
    if (take(U"B")) return condition(Op::not_word_border, add_class(word(false)));
    if (take(U"A")) return condition(Op::text_begin);
    if (take(U"z")) return condition(Op::text_end);
    const Escape escape = parse_escaped(false);
    if (escape.character) return character(*escape.character, start);
    CodePointSet set = escape.set;
    if (ignores_case_) fold(set, start);
    return consume(set);
  }

  CodePointSet parse_class() {
    const Nesting nesting(*this);
    const std::size_t start = at_ - 1;
    const bool negated = take(U"^");
    CodePointSet set;
    if (ahead(U"]")) refuse("an empty class", start);
    while (!take(U"]")) {
      const std::size_t item = at_;
      if (ahead(U"[:")) refuse("a POSIX bracket", item);
      if (ahead(U"&&")) refuse("an intersection of classes", item);
      if (take(U"[")) {
        set.add(parse_class());
        continue;
      }
      const std::optional<char32_t> first = parse_class_item(set, start);
      if (!first) continue;
      // A hyphen before the end is one.
      if (!ahead(U"-") || pattern_.substr(at_).starts_with(U"-]") || pattern_.size() - at_ < 2) {
        set.add(*first, *first);
        continue;
      }
      ++at_;
      CodePointSet unused;
      const auto last = ahead(U"[") ? std::nullopt : parse_class_item(unused, start);
      if (!last || *last < *first) refuse("a range without an end", item);
      set.add(*first, *last);
    }
    if (ignores_case_) fold(set, start);
    return negated ? set.complement() : set;
  }

  // A character, which may begin a range, or nothing after a set was added.
  std::optional<char32_t> parse_class_item(CodePointSet& set, std::size_t start) {
    if (at_end()) refuse("an unmatched [", start);
    if (!take(U"\\")) return pattern_[at_++];
    if (ahead(U"b")) refuse("\\b in a class", at_ - 1);
    const Escape escape = parse_escaped(true);
    set.add(escape.set);
    return escape.character;
  }

  Node consume(const CodePointSet& set) { return {.kind = Kind::consume, .argument = add_class(set)}; }
  static Node condition(Op op, std::uint8_t argument = 0) {
    return {.kind = Kind::condition, .argument = argument, .condition = static_cast<int>(op)};
  }

  std::uint8_t add_class(const CodePointSet& set) {
    auto& classes = regex_.classes_;
    const auto found = std::find(classes.begin(), classes.end(), set);
    const auto index = static_cast<std::uint8_t>(found - classes.begin());
    if (found == classes.end()) {
      if (classes.size() == Regex::max_classes) refuse("more than 64 different classes", at_);
      classes.push_back(set);
    }
    return index;
  }

  // ---- code generation

  Regex finish(Node& root) {
    root.find_empty();
    const std::uint16_t match = emit({Op::match, 0, 0, 0});
    regex_.start_ = generate(root, match, match);
    regex_.order();
    return std::move(regex_);
  }

  std::uint16_t emit(Regex::Instruction instruction) {
    if (regex_.program_.size() == Regex::max_program)
      refuse("repetitions that take more than 4096 instructions", 0);
    regex_.program_.push_back(instruction);
    return static_cast<std::uint16_t>(regex_.program_.size() - 1);
  }

  std::uint16_t emit_split(bool lazy, std::uint16_t body, std::uint16_t rest) {
    return emit({Op::split, 0, lazy ? rest : body, lazy ? body : rest});
  }

  // The first instruction of a node that goes on at `moved` once it has consumed a character and at `still`
  // while it has not. The two differ in repetitions, which end, as Oniguruma's do, where a round was empty.
  std::uint16_t generate(const Node& node, std::uint16_t still, std::uint16_t moved) {
    if (++visits_ > Regex::max_visits) refuse("repetitions that take more than 4096 instructions", 0);
    if (!node.can_be_empty) still = moved;
    switch (node.kind) {
      case Kind::empty:
        return still;
      case Kind::consume:
        return emit({Op::consume, node.argument, moved, 0});
      case Kind::condition:
        return emit({static_cast<Op>(node.condition), node.argument, still, 0});
      case Kind::look: {
        const std::uint16_t match = emit({Op::match, 0, 0, 0});
        return emit({Op::look, node.argument, still, generate(node.children[0], match, match)});
      }
      case Kind::sequence: {
        for (std::size_t i = node.children.size(); i-- > 0;) prepend(node.children[i], still, moved);
        return still;
      }
      case Kind::alternatives: {
        std::uint16_t start = generate(node.children.back(), still, moved);
        for (std::size_t i = node.children.size() - 1; i-- > 0;) {
          start = emit({Op::split, 0, generate(node.children[i], still, moved), start});
        }
        return start;
      }
      case Kind::repeat:
        return generate_repeat(node, still, moved);
    }
    return still;
  }

  // Makes the two continuations begin with the node.
  void prepend(const Node& node, std::uint16_t& still, std::uint16_t& moved) {
    const bool same = still == moved;
    const std::uint16_t before = moved;
    // Where nothing was consumed the node starts at `still`; after something was, at `moved`.
    still = generate(node, still, before);
    moved = same ? still : generate(node, before, before);
  }

  std::uint16_t generate_repeat(const Node& node, std::uint16_t still, std::uint16_t moved) {
    const Node& body = node.children[0];
    if (body.captures && body.can_be_empty && node.max != 1 && (node.max != unbounded || node.min > 1)) {
      // Oniguruma ends such a repetition at its first empty round.
      refuse("a counted repetition of a capturing group that can be empty", 0);
    }
    if (node.max == unbounded) {
      // The loop once a character was consumed.
      const std::uint16_t loop = emit({Op::split, 0, 0, 0});
      const std::uint16_t again = generate(body, moved, loop);
      regex_.program_[loop].next = node.lazy ? moved : again;
      regex_.program_[loop].other = node.lazy ? again : moved;
      still = still == moved ? loop : emit_split(node.lazy, generate(body, still, loop), still);
      moved = loop;
    } else {
      const std::uint16_t rest_still = still, rest_moved = moved;
      for (std::uint32_t i = node.min; i < node.max; ++i) {
        const bool same = still == moved;
        const std::uint16_t after = moved;
        still = emit_split(node.lazy, generate(body, still, after), rest_still);
        moved = same ? still : emit_split(node.lazy, generate(body, after, after), rest_moved);
      }
    }
    for (std::uint32_t i = 0; i < node.min; ++i) prepend(body, still, moved);
    return still;
  }

  std::u32string_view pattern_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::size_t repetitions_ = 0;
  std::size_t visits_ = 0;
  bool ignores_case_ = false;
  Regex regex_;
};

Regex::Regex(std::u32string_view pattern) : Regex(RegexCompiler(pattern).compile()) {}

Regex Regex::literal(std::u32string_view text) { return RegexCompiler(text).compile_literal(); }

}  // namespace headlight
