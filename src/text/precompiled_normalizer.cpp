#include "text/precompiled_normalizer.h"
#include "throw_error.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "headlight.h"
#include "text/graphemes.h"
#include "text/utf8.h"

namespace headlight {

namespace {

[[noreturn]] void refuse(const std::string& file, const TextPiece& problem) {
  throw_error(ErrorCode::E_INVALID_TOKENIZER, {"precompiled_charsmap ", problem}, {.file = file});
}

// A unit of darts-clone's double array.
struct Unit {
  std::uint32_t bits;
  bool is_value() const { return bits >> 31; }
  std::uint32_t value() const { return bits & 0x7FFFFFFF; }
  bool has_value() const { return bits >> 8 & 1; }  // the unit at this one's offset is a value
  std::uint32_t label() const { return bits & 0x800000FF; }
  std::uint32_t offset() const { return bits >> 10 << ((bits & 0x200) >> 6); }
};

class Charsmap {
 public:
  Charsmap(std::string bytes, const std::string& file) : bytes_(std::move(bytes)) {
    if (bytes_.size() < 4) refuse(file, "is too short");
    const std::uint32_t trie_bytes = read(0);
    if (trie_bytes % 4 != 0 || trie_bytes == 0 || trie_bytes > bytes_.size() - 4) {
      refuse(file, {"has a trie of ", trie_bytes, " bytes"});
    }
    units_ = trie_bytes / 4;
    texts_ = std::string_view(bytes_).substr(4 + trie_bytes);
    if (find_invalid_utf8(texts_)) refuse(file, "has texts that are not UTF-8");
    for (std::uint32_t i = 0; i < units_; ++i) {
      const Unit unit = at(i);
      if (unit.is_value() || !unit.has_value()) continue;
      const std::uint32_t end = i ^ unit.offset();
      if (end >= units_) refuse(file, "has a trie that leads out of itself");
      const std::uint32_t value = at(end).value();
      if (value >= texts_.size() || !begins_code_point(texts_[value])) {
        refuse(file, "has a trie that leads to no text");
      }
    }
  }

  Charsmap(const Charsmap&) = delete;
  Charsmap& operator=(const Charsmap&) = delete;

  // The text of the shortest key that `chunk` begins with.
  std::optional<std::string_view> find(std::string_view chunk) const {
    std::uint32_t position = at(0).offset();
    for (const char byte : chunk) {
      const auto label = static_cast<unsigned char>(byte);
      if (label == 0) return std::nullopt;
      position ^= label;
      if (position >= units_ || at(position).label() != label) return std::nullopt;
      const Unit unit = at(position);
      position ^= unit.offset();
      if (unit.has_value()) {
        const std::string_view text = texts_.substr(at(position).value());
        return text.substr(0, text.find('\0'));
      }
    }
    return std::nullopt;
  }

 private:
  std::uint32_t read(std::size_t byte) const {
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes_[byte + i]);
    return value;
  }
  Unit at(std::uint32_t index) const { return {read(4 + std::size_t{4} * index)}; }

  std::string bytes_;
  std::uint32_t units_ = 0;
  std::string_view texts_;
};

struct Part {
  char32_t code_point;
  std::ptrdiff_t change;  // as Rewriter::change has it
};

// A text for `count` code points. Where the text is shorter, what it lacks is dropped with the part before;
// at the very beginning, and there only, nothing is.
void append(std::vector<Part>& parts, std::string_view utf8, std::size_t count) {
  const std::u32string text = decode_utf8(utf8);
  for (std::size_t i = 0; i < text.size(); ++i) parts.push_back({text[i], i < count ? 0 : 1});
  if (text.size() < count && !parts.empty()) {
    parts.back().change -= static_cast<std::ptrdiff_t>(count - text.size());
  }
}

class PrecompiledNormalizer : public Normalizer {
 public:
  PrecompiledNormalizer(std::string charsmap, const std::string& file)
      : charsmap_(std::move(charsmap), file) {}

  void normalize(AlignedText& text) const override {
    std::vector<Part> parts;
    bool changed = false;
    const std::u32string_view all = text.code_points;
    for (std::size_t begin = 0; begin < all.size();) {
      const std::size_t end = graphemes_.next_boundary(all, begin);
      const std::u32string_view cluster = all.substr(begin, end - begin);
      begin = end;
      // A cluster of more than 5 code points has more than 5 bytes.
      const std::string utf8 = cluster.size() < 6 ? encode_utf8(cluster) : std::string();
      if (!utf8.empty() && utf8.size() < 6) {
        if (const auto found = charsmap_.find(utf8)) {
          append(parts, *found, cluster.size());
          changed = true;
          continue;
        }
      }
      for (const char32_t c : cluster) {
        const auto found = charsmap_.find(encode_utf8({&c, 1}));
        found ? append(parts, *found, 1) : parts.push_back({c, 0});
        changed = changed || found;
      }
    }
    if (!changed) return;
    Rewriter rewriter(text);
    for (const Part& part : parts) rewriter.change(part.code_point, part.change);
  }

 private:
  Charsmap charsmap_;
  Graphemes graphemes_;
};

}  // namespace

std::unique_ptr<Normalizer> make_precompiled_normalizer(std::string charsmap, const std::string& file) {
  return std::make_unique<PrecompiledNormalizer>(std::move(charsmap), file);
}

}  // namespace headlight
