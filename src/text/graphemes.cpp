#include "text/graphemes.h"

namespace headlight {

namespace {

using unicode::Cluster;

enum class Hangul { none, leading, vowel, trailing, lv, lvt };

Hangul hangul(char32_t c) {
  if (c < 0x1100 || c > 0xD7FB) return Hangul::none;
  if (c <= 0x115F || (c >= 0xA960 && c <= 0xA97C)) return Hangul::leading;
  if (c <= 0x11A7 || (c >= 0xD7B0 && c <= 0xD7C6)) return Hangul::vowel;
  if (c <= 0x11FF || c >= 0xD7CB) return Hangul::trailing;
  if (c < 0xAC00 || c > 0xD7A3) return Hangul::none;
  return (c - 0xAC00) % 28 == 0 ? Hangul::lv : Hangul::lvt;
}

bool joins(Hangul before, Hangul after) {
  switch (after) {
    case Hangul::leading:
    case Hangul::lv:
    case Hangul::lvt:
      return before == Hangul::leading;
    case Hangul::vowel:
      return before == Hangul::leading || before == Hangul::vowel || before == Hangul::lv;
    case Hangul::trailing:
      return before != Hangul::none && before != Hangul::leading;
    case Hangul::none:
      return false;
  }
  return false;
}

}  // namespace

Graphemes::Graphemes() {
  for (std::size_t i = 1; i < std::size(sets_); ++i) sets_[i] = code_points_of(static_cast<Cluster>(i));
}

Cluster Graphemes::cluster(char32_t code_point) const {
  if (code_point >= 0x20 && code_point < 0x7F) return Cluster::other;
  for (std::size_t i = 1; i < std::size(sets_); ++i) {
    if (sets_[i].contains(code_point)) return static_cast<Cluster>(i);
  }
  return Cluster::other;
}

std::size_t Graphemes::next_boundary(std::u32string_view text, std::size_t begin) const {
  if (text.substr(begin).starts_with(U"\r\n")) return begin + 2;
  Cluster before = cluster(text[begin]);
  // Whether a pictograph and its extensions, or a consonant with a linker, go before.
  bool pictographic = before == Cluster::pictographic;
  bool consonant = before == Cluster::consonant, linked = false;
  for (std::size_t end = begin + 1; end < text.size(); ++end) {
    const char32_t c = text[end];
    if (before == Cluster::control) return end;
    const Cluster after = cluster(c);
    const bool extends = after == Cluster::extend || after == Cluster::linker || after == Cluster::zwj;
    const bool joined = extends || after == Cluster::spacing_mark ||
                        (before == Cluster::prepend && after != Cluster::control) ||
                        joins(hangul(text[end - 1]), hangul(c)) ||
                        (after == Cluster::pictographic && pictographic && before == Cluster::zwj) ||
                        (after == Cluster::consonant && consonant && linked);
    if (!joined) return end;
    pictographic = after == Cluster::pictographic || (pictographic && extends && before != Cluster::zwj);
    linked = after == Cluster::linker || (linked && extends);
    consonant = after == Cluster::consonant || (consonant && extends && c != 0x200C);
    if (after == Cluster::consonant) linked = false;
    before = after;
  }
  return text.size();
}

}  // namespace headlight
