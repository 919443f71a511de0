#include "text/json_file.h"
#include "json_document.h"
#include "throw_error.h"

namespace headlight {

namespace {

using nlohmann::json;

json read(const File& file, ModelListsReader* lists) {
  return parse_json(file.bytes,
                    {.code = ErrorCode::E_INVALID_TOKENIZER, .file = file.name, .diversion = lists});
}

}  // namespace

json read_json(const File& file) { return read(file, nullptr); }

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
  json document = read(file, &lists);
  return {std::move(document), lists.take()};
}

JsonField JsonField::child(const json& value, const std::string& key) const {
  return JsonField(value, file_, path_.empty() ? key : path_ + "." + key);
}

JsonField JsonField::at(const std::string& key) const {
  if (!value_->is_object()) refuse("must be an object");
  const auto found = value_->find(key);
  if (found == value_->end()) refuse({"lacks \"", key, "\""});
  return child(*found, key);
}

std::optional<JsonField> JsonField::find(const std::string& key) const {
  if (!value_->is_object()) refuse("must be an object");
  const auto found = value_->find(key);
  if (found == value_->end() || found->is_null()) return std::nullopt;
  return child(*found, key);
}

bool JsonField::boolean() const {
  if (!value_->is_boolean()) refuse("must be true or false");
  return value_->get<bool>();
}

const std::string& JsonField::text() const {
  if (!value_->is_string()) refuse("must be a string");
  return value_->get_ref<const std::string&>();
}

bool JsonField::flag(const std::string& key, bool otherwise) const {
  const auto value = find(key);
  return value ? value->boolean() : otherwise;
}

std::int32_t JsonField::integer(std::int32_t min, std::int32_t max) const {
  // A number past 64 bits has been read as a floating-point one.
  const bool fits = value_->is_number_unsigned()
                        ? value_->get<std::uint64_t>() <= static_cast<std::uint64_t>(std::max(max, 0))
                        : value_->is_number_integer() && value_->get<std::int64_t>() <= max;
  if (!fits || value_->get<std::int64_t>() < min) {
    refuse({"must be an integer from ", min, " to ", max});
  }
  return value_->get<std::int32_t>();
}

std::vector<JsonField> JsonField::items() const {
  if (!value_->is_array()) refuse("must be a list");
  std::vector<JsonField> items;
  for (const json& item : *value_) items.push_back(child(item, std::to_string(items.size())));
  return items;
}

std::vector<std::pair<std::string, JsonField>> JsonField::members() const {
  if (!value_->is_object()) refuse("must be an object");
  std::vector<std::pair<std::string, JsonField>> members;
  for (const auto& [key, value] : value_->items()) members.emplace_back(key, child(value, key));
  return members;
}

void JsonField::refuse(const TextPiece& problem) const {
  throw_error(ErrorCode::E_INVALID_TOKENIZER, {path_.empty() ? TextPiece("The file") : path_, " ", problem},
              {.file = file_});
}

void JsonField::unsupported(const TextPiece& part, const TextPiece& type) const {
  throw_error(ErrorCode::E_UNSUPPORTED_TOKENIZER, {"The ", part, " \"", type, "\" is not supported"},
              {.file = file_});
}

}  // namespace headlight
