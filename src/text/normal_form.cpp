#include <algorithm>

#include "heap_sort.h"
#include "text/aligned_text.h"
#include "text/unicode.h"
#include "text/unicode_forms.h"

namespace headlight {

namespace {

// A code point of the new text and its change, as Rewriter::change has it. Hugging Face's tokenizers sort both
// together, so that alignment follows the place in the text, not the mark.
struct Part {
  char32_t code_point;
  std::ptrdiff_t change;
  std::uint8_t combining_class;
  std::size_t place;  // among the parts before they were ordered
};

std::vector<Part> decompose(std::u32string_view text, bool compatibility) {
  std::vector<Part> parts;
  parts.reserve(text.size());
  std::u32string decomposition;
  for (const char32_t code_point : text) {
    decomposition.clear();
    compatibility ? unicode::append_compatibility_decomposition(code_point, decomposition)
                  : unicode::append_decomposition(code_point, decomposition);
    for (std::size_t i = 0; i < decomposition.size(); ++i) {
      parts.push_back(
          {decomposition[i], i == 0 ? 0 : 1, unicode::combining_class(decomposition[i]), parts.size()});
    }
  }
  const auto is_starter = [](const Part& part) { return part.combining_class == 0; };
  for (auto begin = parts.begin(); begin != parts.end();) {
    begin = std::find_if_not(begin, parts.end(), is_starter);
    const auto end = std::find_if(begin, parts.end(), is_starter);
    heap_sort(begin, end, [](const Part& a, const Part& b) {
      return a.combining_class != b.combining_class ? a.combining_class < b.combining_class
                                                    : a.place < b.place;
    });
    begin = end;
  }
  return parts;
}

// Joins marks and Hangul letters to the starters before them (The Unicode Standard, section 3.11, D117).
void compose(std::vector<Part>& parts) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t kept = 0, starter = none;
  for (const Part part : parts) {
    if (starter != none) {
      // Blocked by a mark in between of the same or a higher class, or by any mark where this is a starter.
      const bool adjacent = kept == starter + 1;
      if (adjacent || parts[kept - 1].combining_class < part.combining_class) {
        if (const char32_t composite = unicode::compose(parts[starter].code_point, part.code_point)) {
          parts[starter].code_point = composite;
          parts[starter].change += part.change - 1;
          continue;
        }
      }
    }
    if (part.combining_class == 0) starter = kept;
    parts[kept++] = part;
  }
  parts.resize(kept);
}

}  // namespace

void to_normal_form(AlignedText& text, NormalForm form) {
  const bool compatibility = form == NormalForm::nfkc || form == NormalForm::nfkd;
  const auto is_unchanged = [form, compatibility](char32_t c) {
    if (form == NormalForm::nfd) return !unicode::has(c, unicode::decomposes);
    return c < (compatibility ? 0xA0 : 0x300);  // the first that NFKC and NFC change
  };
  if (std::all_of(text.code_points.begin(), text.code_points.end(), is_unchanged)) return;

  std::vector<Part> parts = decompose(text.code_points, compatibility);
  if (form == NormalForm::nfc || form == NormalForm::nfkc) compose(parts);
  Rewriter rewriter(text);
  for (const Part& part : parts) rewriter.change(part.code_point, part.change);
}

}  // namespace headlight
