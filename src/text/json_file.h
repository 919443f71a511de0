#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "concat.h"
#include "headlight.h"
#include "json_document.h"
#include "text/model_lists.h"

namespace headlight {

struct JsonFile {
  Json json;
  std::string name;  // of the file
};

// The whole of a JSON file. Throws E_INVALID_TOKENIZER for what is not JSON or is nested too deeply.
JsonFile read_json(const File& file);

// tokenizer.json without model.vocab and model.merges, which go straight into their builders.
struct TokenizerDocument {
  JsonFile file;
  ModelLists lists;
};

// Throws E_INVALID_TOKENIZER as read_json, and for vocabularies and merges that are none.
TokenizerDocument read_tokenizer_document(const File& file);

// vocab.json, an object of tokens and ids. Throws as read_tokenizer_document.
Vocabulary::Builder read_vocabulary(const File& file);

// A value within a JSON file, which must outlive it. A value of another kind than the one asked for throws
// E_INVALID_TOKENIZER that names the place.
class JsonField {
 public:
  explicit JsonField(const JsonFile& file) : JsonField(file.json, file) {}

  JsonField at(std::string_view key) const;                   // the key must be there
  std::optional<JsonField> find(std::string_view key) const;  // none where the key is missing or null

  bool boolean() const;
  bool flag(std::string_view key, bool otherwise) const;  // of an object; where it lacks the key, otherwise
  const std::string& text() const;
  std::int32_t integer(std::int32_t min, std::int32_t max) const;
  std::vector<JsonField> items() const;                     // of a list
  std::vector<JsonField> members() const;                   // of an object
  const std::string& key() const { return value_->key(); }  // of a member

  const Json& value() const { return *value_; }
  const std::string& file() const { return file_->name; }
  [[noreturn]] void refuse(const TextPiece& problem) const;  // E_INVALID_TOKENIZER
  [[noreturn]] void unsupported(const TextPiece& part,
                                const TextPiece& type) const;  // E_UNSUPPORTED_TOKENIZER

 private:
  JsonField(const Json& value, const JsonFile& file) : value_(&value), file_(&file) {}
  const Json* member(std::string_view key) const;
  std::vector<JsonField> fields() const;
  bool find_path(const Json& within, std::string& path) const;

  const Json* value_;
  const JsonFile* file_;
};

}  // namespace headlight
