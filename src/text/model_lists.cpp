#include "text/model_lists.h"
#include "throw_error.h"

#include "headlight.h"

namespace headlight {

bool ModelListsReader::begin(std::span<const std::string> keys, bool is_object) {
  if (!whole_.empty()) return keys.empty() && begin_list(whole_, is_object);
  return keys.size() == 2 && keys[0] == "model" && begin_list(keys[1], is_object);
}

bool ModelListsReader::begin_list(std::string_view key, bool is_object) {
  if (key == "vocab") {
    within_ = is_object ? Within::ids : Within::scores;
    lists_.vocabulary.emplace();
    lists_.scores.reset();
    if (!is_object) {
      lists_.scores.emplace();
      lists_.vocabulary->set_repeated(Vocabulary::Builder::Repeated::last_found);
    }
  } else if (key == "merges" && !is_object) {
    within_ = Within::merges;
    lists_.merges.emplace();
  }
  return is_open();
}

void ModelListsReader::unsigned_number(std::uint64_t value) {
  if (within_ != Within::ids) return number(static_cast<double>(value));
  if (value >= static_cast<std::uint64_t>(Vocabulary::id_limit)) refuse();
  lists_.vocabulary->add(token_, static_cast<std::int32_t>(value));
}

void ModelListsReader::number(double value) {
  if (within_ != Within::score || items_ != 1) refuse();
  lists_.scores->push_back(value);
  ++items_;
}

void ModelListsReader::string(const std::string& value) {
  if (within_ == Within::score && items_ == 0) {
    if (lists_.vocabulary->size() == static_cast<std::size_t>(Vocabulary::id_limit)) {
      refuse({"model.vocab has more than ", Vocabulary::id_limit, " tokens"});
    }
    lists_.vocabulary->add(value, static_cast<std::int32_t>(lists_.vocabulary->size()));
    ++items_;
  } else if (within_ == Within::merge && items_ < 2) {
    lists_.merges->add_part(value);
    ++items_;
  } else if (within_ == Within::merges && lists_.merges->add_line(value)) {
    return;
  } else {
    refuse();
  }
}

void ModelListsReader::open_list() {
  if (within_ == Within::scores) {
    within_ = Within::score;
  } else if (within_ == Within::merges) {
    within_ = Within::merge;
  } else {
    refuse();
  }
  items_ = 0;
}

void ModelListsReader::close() {
  if (within_ == Within::score || within_ == Within::merge) {
    if (items_ != 2) refuse();
    within_ = within_ == Within::score ? Within::scores : Within::merges;
  } else {
    within_ = Within::nothing;
  }
}

void ModelListsReader::refuse() const {
  switch (within_) {
    case Within::ids:
      refuse(
          {"model.vocab: the id of \"", token_, "\" is not a number from 0 to ", Vocabulary::id_limit - 1});
    case Within::merges:
    case Within::merge:
      refuse({"model.merges.", lists_.merges->size() - (within_ == Within::merge && items_ == 2),
              " is not two tokens with a space between, nor a list of two tokens"});
    default: {
      const std::size_t entry = lists_.vocabulary->size() - (within_ == Within::score && items_ > 0);
      refuse({"model.vocab.", entry, " is not a token and its score"});
    }
  }
}

void ModelListsReader::refuse(const TextPiece& problem) const {
  throw_error(ErrorCode::E_INVALID_TOKENIZER, problem, {.file = file_});
}

}  // namespace headlight
