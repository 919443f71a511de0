#include "text/json_file.h"

namespace headlight {

namespace {

using nlohmann::json;

constexpr std::size_t max_depth = 64;                   // published files need less than 10
constexpr std::size_t max_size = std::size_t{1} << 30;  // published files have less than 40 MB

// Receives the parser's events and builds the document from them; the lists of a tokenizer's model aside.
class DocumentBuilder {
 public:
  // whole: the file is this list of a model, else its lists lie in "model".
  DocumentBuilder(const File& file, ModelListsReader* lists, std::string_view whole)
      : file_(file), lists_(lists), whole_(whole) {}

  json take() { return std::move(root_); }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool binary(json::binary_t&) { return true; }  // JSON text has none

  bool number_integer(json::number_integer_t value) {
    if (!in_lists()) return add(value);
    lists_->number(static_cast<double>(value));
    return true;
  }
  bool number_unsigned(json::number_unsigned_t value) {
    if (!in_lists()) return add(value);
    lists_->unsigned_number(value);
    return true;
  }
  bool number_float(json::number_float_t value, const std::string&) {
    if (!in_lists()) return add(value);
    lists_->number(value);
    return true;
  }
  bool string(std::string& value) {
    if (!in_lists()) return add(std::move(value));
    lists_->string(value);
    return true;
  }
  bool key(std::string& key) {
    if (in_lists()) {
      lists_->key(key);
    } else {
      keys_.back().swap(key);
    }
    return true;
  }

  bool start_object(std::size_t) {
    if (in_lists()) lists_->refuse();
    return begins_list(true) || open(json::object());
  }
  bool start_array(std::size_t) {
    if (!in_lists()) return begins_list(false) || open(json::array());
    lists_->open_list();
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string&, const json::exception&) {
    const std::size_t first = file_.bytes.find_first_not_of(" \t\r\n");
    std::string problem = "The file is not valid JSON";
    if (first == std::string::npos) {
      problem = "The file is empty";
    } else if (file_.bytes[first] == '<') {
      problem = "The file is a web page, not JSON";
    }
    throw Error(ErrorCode::E_INVALID_TOKENIZER, problem, {.file = file_.name, .offset = position});
  }

 private:
  bool in_lists() const { return lists_ != nullptr && lists_->is_open(); }

  bool begins_list(bool is_object) {
    if (lists_ == nullptr) return false;
    if (!whole_.empty()) return keys_.empty() && lists_->begin(whole_, is_object);
    return keys_.size() == 2 && keys_[0] == "model" && lists_->begin(keys_[1], is_object);
  }

  bool add(json value) {
    if (in_lists()) lists_->refuse();
    place(std::move(value));
    return true;
  }

  json& place(json value) {
    if (open_.empty()) return root_ = std::move(value);
    json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return parent.back();
    }
    return parent[keys_.back()] = std::move(value);
  }

  bool open(json container) {
    if (open_.size() == max_depth) {
      throw Error(ErrorCode::E_INVALID_TOKENIZER,
                  "The file is nested more than " + std::to_string(max_depth) + " levels deep",
                  {.file = file_.name});
    }
    open_.push_back(&place(std::move(container)));
    keys_.emplace_back();
    return true;
  }

  bool close() {
    if (in_lists()) {
      lists_->close();
    } else {
      open_.pop_back();
      keys_.pop_back();
    }
    return true;
  }

  const File& file_;
  ModelListsReader* lists_;  // null: all goes into the document
  std::string_view whole_;
  json root_;
  std::vector<json*> open_;        // containers around the next value
  std::vector<std::string> keys_;  // parallel: the last key in each
};

json read(const File& file, ModelListsReader* lists, std::string_view whole = {}) {
  if (file.bytes.size() > max_size) {
    throw Error(ErrorCode::E_INVALID_TOKENIZER,
                "The file has more than " + std::to_string(max_size) + " bytes", {.file = file.name});
  }
  DocumentBuilder builder(file, lists, whole);
  json::sax_parse(file.bytes.data(), file.bytes.data() + file.bytes.size(), &builder);
  return builder.take();
}

}  // namespace

json read_json(const File& file) { return read(file, nullptr); }

Vocabulary::Builder read_vocabulary(const File& file) {
  ModelListsReader lists(file.name);
  read(file, &lists, "vocab");
  ModelLists found = lists.take();
  if (!found.vocabulary || found.scores) {
    throw Error(ErrorCode::E_INVALID_TOKENIZER, "The file is not an object of tokens and ids",
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
  if (found == value_->end()) refuse("lacks \"" + key + "\"");
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
    refuse("must be an integer from " + std::to_string(min) + " to " + std::to_string(max));
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

void JsonField::refuse(std::string_view problem) const {
  const std::string where = path_.empty() ? "The file" : path_;
  throw Error(ErrorCode::E_INVALID_TOKENIZER, where + " " + std::string(problem),
              {.file = std::string(file_)});
}

void JsonField::unsupported(std::string_view part, std::string_view type) const {
  throw Error(ErrorCode::E_UNSUPPORTED_TOKENIZER,
              "The " + std::string(part) + " \"" + std::string(type) + "\" is not supported",
              {.file = std::string(file_)});
}

}  // namespace headlight
