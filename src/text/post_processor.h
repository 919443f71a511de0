#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headlight.h"

namespace headlight {

// A stretch of the final encoding: one of the texts, or special tokens.
struct TemplatePart {
  enum class Kind { text, text_pair, special };
  Kind kind;
  std::int32_t type_id;
  std::vector<std::int32_t> ids;    // of special tokens
  std::vector<std::string> tokens;  // parallel to ids
};

using Template = std::vector<TemplatePart>;

struct SpecialToken {
  std::string token;
  std::int32_t id;
};

inline TemplatePart special_part(const SpecialToken& token, std::int32_t type_id) {
  return {TemplatePart::Kind::special, type_id, {token.id}, {token.token}};
}

// Says where special tokens go: tokenizer.json's "post_processor".
class PostProcessor {
 public:
  virtual ~PostProcessor() = default;
  // The order of texts and special tokens, for one text or for a pair.
  virtual const Template& layout(bool pair) const = 0;
  // The span, in code points of its text, that a token is to have; `first`: it begins its text's part of the
  // encoding. Special tokens that `layout` adds are not asked about.
  virtual Span trimmed(std::string_view /*token*/, Span span, bool /*first*/) const { return span; }
};

}  // namespace headlight
