#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "concat.h"
#include "headlight.h"
#include "text/model_lists.h"

namespace headlight {

// The whole of a JSON file. Throws E_INVALID_TOKENIZER for what is not JSON or is nested too deeply.
nlohmann::json read_json(const File& file);

// tokenizer.json without model.vocab and model.merges, which go straight into their builders.
struct TokenizerDocument {
  nlohmann::json json;
  ModelLists lists;
};

// Throws E_INVALID_TOKENIZER as read_json, and for vocabularies and merges that are none.
TokenizerDocument read_tokenizer_document(const File& file);

// vocab.json, an object of tokens and ids. Throws as read_tokenizer_document.
Vocabulary::Builder read_vocabulary(const File& file);

// A value within a JSON file, which knows where it is. A value of another kind than the one asked for throws
// E_INVALID_TOKENIZER that names the place.
class JsonField {
 public:
  JsonField(const nlohmann::json& value, std::string_view file, std::string path = {})
      : value_(&value), file_(file), path_(std::move(path)) {}

  JsonField at(const std::string& key) const;                   // the key must be there
  std::optional<JsonField> find(const std::string& key) const;  // none where the key is missing or null

  bool boolean() const;
  bool flag(const std::string& key, bool otherwise) const;  // of an object; where it lacks the key, otherwise
  const std::string& text() const;
  std::int32_t integer(std::int32_t min, std::int32_t max) const;
  std::vector<JsonField> items() const;                            // of a list
  std::vector<std::pair<std::string, JsonField>> members() const;  // of an object

  const nlohmann::json& value() const { return *value_; }
  std::string file() const { return std::string(file_); }
  [[noreturn]] void refuse(const TextPiece& problem) const;  // E_INVALID_TOKENIZER
  [[noreturn]] void unsupported(const TextPiece& part,
                                const TextPiece& type) const;  // E_UNSUPPORTED_TOKENIZER

 private:
  JsonField child(const nlohmann::json& value, const std::string& key) const;

  const nlohmann::json* value_;
  std::string_view file_;
  std::string path_;  // "normalizer.lowercase"
};

}  // namespace headlight
