#include "text/unicode_traits.h"

#include <span>
#include <string>

#include "text/packed_table.h"

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

// The code points whose packed traits satisfy the predicate.
template <typename Predicate>
CodePointSet select(Predicate wanted) {
  CodePointSet result;
  char32_t first = 0;
  for (PackedTable table(trait_stream); !table.at_end();) {
    const auto [kind, length] = table.run();
    if (wanted(trait_kinds[kind])) result.add(first, first + length - 1);
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
  std::size_t begin = 0;
  for (const Script& script : scripts) {
    PackedTable table({script_stream + begin, script.bytes});
    begin += script.bytes;
    if (name != plain(script.name)) continue;
    char32_t next = 0;
    while (!table.at_end()) {
      const char32_t first = next + table.number();
      next = first + table.number();
      result.add(first, next - 1);
    }
    return result;
  }
  return category_set(name);
}

}  // namespace headlight::unicode
