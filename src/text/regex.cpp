#include "text/regex.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

}  // namespace

std::uint64_t Regex::classes_of(char32_t code_point) const {
  if (code_point < ascii_.size()) return ascii_[code_point];
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    bits |= std::uint64_t{classes_[i].contains(code_point)} << i;
  }
  return bits;
}

// Brings the program into its order, without what cannot be reached.
void Regex::order() {
  enum State : std::uint8_t { unseen, open, done };
  std::vector<State> states(program_.size(), unseen);
  std::vector<Instruction> ordered;
  std::vector<std::uint16_t> places(program_.size()), roots = {start_}, stack;
  while (!roots.empty()) {
    stack.push_back(roots.back());
    roots.pop_back();
    while (!stack.empty()) {
      const std::uint16_t at = stack.back();
      const Instruction& instruction = program_[at];
      if (states[at] == unseen) {
        states[at] = open;
        const bool two = instruction.op == Op::split || instruction.op == Op::look;
        if (two && states[instruction.other] == unseen) stack.push_back(instruction.other);
        if (instruction.op == Op::consume) {
          roots.push_back(instruction.next);
        } else if (instruction.op != Op::match && states[instruction.next] == unseen) {
          stack.push_back(instruction.next);
        }
        continue;
      }
      stack.pop_back();
      if (states[at] == done) continue;
      states[at] = done;
      places[at] = static_cast<std::uint16_t>(ordered.size());
      ordered.push_back(instruction);
    }
  }
  for (Instruction& instruction : ordered) {
    instruction.next = places[instruction.next];
    instruction.other = places[instruction.other];
  }
  start_ = places[start_];
  program_ = std::move(ordered);
  for (char32_t c = 0; c < 0x80; ++c) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < classes_.size(); ++i) bits |= std::uint64_t{classes_[i].contains(c)} << i;
    ascii_.push_back(bits);
  }
}

// Where a match ends depends on the instruction and the place alone, since nothing is captured. So the ends of all
// places are computed from the last to the first, each instruction once a place, from those of the place after.
std::vector<Regex::Match> Regex::find_all(std::u32string_view text) const {
  std::vector<std::uint32_t> ends(text.size() + 1), here(program_.size()), after(program_.size(), none);
  std::uint64_t next_classes = 0;  // of the character at the place; 0 at the end
  for (std::size_t at = text.size() + 1; at-- > 0;) {
    const std::uint64_t previous_classes = at > 0 ? classes_of(text[at - 1]) : 0;
    const bool first = at == 0, last = at == text.size();
    for (std::size_t i = 0; i < program_.size(); ++i) {
      const auto& [op, argument, next, other] = program_[i];
      const bool next_is = next_classes >> argument & 1, previous_is = previous_classes >> argument & 1;
      bool holds = true;
      switch (op) {
        case Op::match:
          here[i] = static_cast<std::uint32_t>(at);
          continue;
        case Op::consume:
          here[i] = next_is ? after[next] : none;
          continue;
        case Op::split:
          here[i] = here[next] != none ? here[next] : here[other];
          continue;
        case Op::look:
          holds = (here[other] != none) != (argument != 0);
          break;
        case Op::before:
          holds = previous_is;
          break;
        case Op::not_before:
          holds = !previous_is;
          break;
        case Op::line_begin:
          holds = first || (!last && text[at - 1] == U'\n');
          break;
        case Op::line_end:
          holds = last || text[at] == U'\n';
          break;
        case Op::text_begin:
          holds = first;
          break;
        case Op::text_end:
          holds = last;
          break;
        case Op::word_border:
          holds = next_is != previous_is;
          break;
        case Op::not_word_border:
          holds = next_is == previous_is;
          break;
      }
      here[i] = holds ? here[next] : none;
    }
    ends[at] = here[start_];
    std::swap(here, after);
    next_classes = previous_classes;
  }

  std::vector<Match> matches;
  for (std::size_t at = 0; at <= text.size();) {
    if (ends[at] == none || (ends[at] == at && !matches.empty() && matches.back().end == at)) {
      ++at;
      continue;
    }
    matches.push_back({at, ends[at]});
    at = ends[at];
  }
  return matches;
}

}  // namespace headlight
