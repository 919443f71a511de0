#include "text/json_file.h"
#include "throw_error.h"

namespace headlight {

namespace {

Json read(const File& file, ModelListsReader* lists) {
  return parse_json(file.bytes,
                    {.code = ErrorCode::E_INVALID_TOKENIZER, .file = file.name, .diversion = lists});
}

}  // namespace

JsonFile read_json(const File& file) { return {read(file, nullptr), file.name}; }

Vocabulary::Builder read_vocabulary(const File& file) {
  ModelListsReader lists(file.name, "vocab");
  read(file, &lists);
  ModelLists found = lists.take();
  if (!found.vocabulary || found.scores) {
    throw_error(ErrorCode::E_INVALID_TOKENIZER, "The file is not an object of tokens and ids",
                {.file = file.name});
  }
  return *std::move(found.vocabulary);
}

TokenizerDocument read_tokenizer_document(const File& file) {
  ModelListsReader lists(file.name);
  Json document = read(file, &lists);
  return {{std::move(document), file.name}, lists.take()};
}

JsonField JsonField::at(std::string_view key) const {
  const Json* found = member(key);
  if (!found) refuse({"lacks \"", key, "\""});
  return JsonField(*found, *file_);
}

std::optional<JsonField> JsonField::find(std::string_view key) const {
  const Json* found = member(key);
  if (!found || found->is_null()) return std::nullopt;
  return JsonField(*found, *file_);
}

const Json* JsonField::member(std::string_view key) const {
  if (!value_->is_object()) refuse("must be an object");
  return value_->find(key);
}

bool JsonField::boolean() const {
  if (!value_->is_boolean()) refuse("must be true or false");
  return value_->boolean();
}

const std::string& JsonField::text() const {
  if (!value_->is_string()) refuse("must be a string");
  return value_->text();
}

bool JsonField::flag(std::string_view key, bool otherwise) const {
  const auto value = find(key);
  return value ? value->boolean() : otherwise;
}

std::int32_t JsonField::integer(std::int32_t min, std::int32_t max) const {
  // A number past 64 bits has been read as a floating-point one.
  const bool fits = value_->is_natural() ? value_->natural() <= static_cast<std::uint64_t>(std::max(max, 0))
                                         : value_->is_integer() && value_->integer() <= max;
  if (!fits || value_->integer() < min) {
    refuse({"must be an integer from ", min, " to ", max});
  }
  return static_cast<std::int32_t>(value_->integer());
}

std::vector<JsonField> JsonField::items() const {
  if (!value_->is_array()) refuse("must be a list");
  return fields();
}

std::vector<JsonField> JsonField::members() const {
  if (!value_->is_object()) refuse("must be an object");
  return fields();
}

std::vector<JsonField> JsonField::fields() const {
  std::vector<JsonField> fields;
  for (const Json& value : value_->items()) fields.push_back(JsonField(value, *file_));
  return fields;
}

// "normalizer.lowercase", the way from the document to the value; false where it is not within.
bool JsonField::find_path(const Json& within, std::string& path) const {
  if (&within == value_) return true;
  const std::size_t length = path.size();
  const std::span<const Json> items = within.items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (length > 0) path += '.';
    path += within.is_object() ? items[i].key() : std::to_string(i);
    if (find_path(items[i], path)) return true;
    path.resize(length);
  }
  return false;
}

void JsonField::refuse(const TextPiece& problem) const {
  std::string path;
  find_path(file_->json, path);
  throw_error(ErrorCode::E_INVALID_TOKENIZER, {path.empty() ? TextPiece("The file") : path, " ", problem},
              {.file = file_->name});
}

void JsonField::unsupported(const TextPiece& part, const TextPiece& type) const {
  throw_error(ErrorCode::E_UNSUPPORTED_TOKENIZER, {"The ", part, " \"", type, "\" is not supported"},
              {.file = file_->name});
}

}  // namespace headlight
