#include "text/unicode_traits.h"

#include <iterator>
#include <string>

namespace headlight::unicode {

namespace {

struct Script {
  const char* name;
  std::uint16_t bytes;
};

#include "text/unicode_traits.inc"

// In the order of the generated file's categories.
constexpr std::string_view categories = "LuLlLtLmLoMnMcMeNdNlNoPcPdPsPePiPfPoSmScSkSoZsZlZpCcCfCsCoCn";
constexpr std::uint16_t category_bits = 31;
constexpr int cluster_shift = 8;

constexpr std::string_view long_names[][2] = {
    {"letter", "l"},           {"mark", "m"},          {"number", "n"}, {"punctuation", "p"},
    {"symbol", "s"},           {"separator", "z"},     {"other", "c"},  {"uppercaseletter", "lu"},
    {"lowercaseletter", "ll"}, {"decimalnumber", "nd"}};

std::uint32_t read_number(const std::uint8_t*& at) {
  std::uint32_t value = *at & 127U;
  for (int shift = 7; *at++ & 128U; shift += 7) value |= (*at & 127U) << shift;
  return value;
}

// The code points whose packed traits satisfy the predicate.
template <typename Predicate>
CodePointSet select(Predicate wanted) {
  CodePointSet result;
  char32_t first = 0;
  for (const std::uint8_t* at = std::begin(trait_stream); at != std::end(trait_stream);) {
    const std::uint8_t byte = *at++;
    const std::uint32_t length = byte & 128U ? read_number(at) : 1;
    if (wanted(trait_kinds[byte & 127U])) result.add(first, first + length - 1);
    first += length;
  }
  return result;
}

std::string plain(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c != ' ' && c != '-' && c != '_')
      result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

// "lu", or "l" for all that begin so; "lc" for the three cases.
std::optional<CodePointSet> category_set(std::string_view name) {
  std::uint32_t wanted = name == "lc" ? 7 : 0;
  for (std::size_t i = 0; i < categories.size(); i += 2) {
    if (plain(categories.substr(i, 2)).starts_with(name)) wanted |= 1U << (i / 2);
  }
  if (wanted == 0 || name.empty()) return std::nullopt;
  return select([wanted](std::uint16_t kind) { return wanted >> (kind & category_bits) & 1U; });
}

}  // namespace

CodePointSet code_points_with(Trait trait) {
  return select([trait](std::uint16_t kind) { return kind & static_cast<std::uint16_t>(trait); });
}

CodePointSet code_points_of(Cluster cluster) {
  return select([cluster](std::uint16_t kind) { return kind >> cluster_shift == static_cast<int>(cluster); });
}

std::optional<CodePointSet> code_points_of_property(std::string_view given) {
  std::string name = plain(given);
  for (const auto& [long_name, category] : long_names) {
    if (name == long_name) name = category;
  }
  CodePointSet result;
  if (name == "any" || name == "ascii") {
    result.add(0, name == "any" ? 0x10FFFF : 0x7F);
    return result;
  }
  const std::uint8_t* at = std::begin(script_stream);
  for (const Script& script : scripts) {
    const std::uint8_t* end = at + script.bytes;
    if (name != plain(script.name)) {
      at = end;
      continue;
    }
    char32_t next = 0;
    while (at != end) {
      const char32_t first = next + read_number(at);
      next = first + read_number(at);
      result.add(first, next - 1);
    }
    return result;
  }
  return category_set(name);
}

}  // namespace headlight::unicode
