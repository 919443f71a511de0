#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/merge_list.h"
#include "text/vocabulary.h"

namespace headlight {

// The long lists of tokenizer.json's "model", which never exist as JSON values.
struct ModelLists {
  std::optional<Vocabulary::Builder> vocabulary;
  std::optional<std::vector<double>> scores;  // by id; of a vocabulary that is a list of tokens and scores
  std::optional<MergeList> merges;
};

// Receives what a JSON parser meets within model.vocab and model.merges and fills the lists. Throws
// E_INVALID_TOKENIZER for what does not belong there.
class ModelListsReader {
 public:
  explicit ModelListsReader(const std::string& file) : file_(file) {}

  bool is_open() const { return within_ != Within::nothing; }
  // Whether a value of the model under this key is one of the lists; the events up to its end are then for
  // this reader.
  bool begin(std::string_view key, bool is_object);

  void key(std::string& key) { token_.swap(key); }
  void unsigned_number(std::uint64_t value);
  void number(double value);
  void string(const std::string& value);
  void open_list();
  void close();
  [[noreturn]] void refuse() const;  // what is neither a number, a string nor a list

  ModelLists take() { return std::move(lists_); }

 private:
  enum class Within { nothing, ids, scores, score, merges, merge };
  [[noreturn]] void refuse(const std::string& problem) const;

  const std::string& file_;
  ModelLists lists_;
  Within within_ = Within::nothing;
  std::size_t items_ = 0;  // read of the list within the list
  std::string token_;
};

}  // namespace headlight
