#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "concat.h"
#include "json_document.h"
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
class ModelListsReader final : public JsonDiversion {
 public:
  // whole: the file is this list of a model, "vocab", else its lists lie in "model".
  explicit ModelListsReader(const std::string& file, std::string_view whole = {})
      : file_(file), whole_(whole) {}

  bool is_open() const override { return within_ != Within::nothing; }
  bool begin(std::span<const std::string> keys, bool is_object) override;

  void key(const std::string& key) override { token_ = key; }
  void unsigned_number(std::uint64_t value) override;
  void number(double value) override;
  void string(const std::string& value) override;
  void open_list() override;
  void close() override;
  [[noreturn]] void refuse() const override;

  ModelLists take() { return std::move(lists_); }

 private:
  enum class Within { nothing, ids, scores, score, merges, merge };
  [[noreturn]] void refuse(const TextPiece& problem) const;

  bool begin_list(std::string_view name, bool is_object);

  const std::string& file_;
  std::string_view whole_;
  ModelLists lists_;
  Within within_ = Within::nothing;
  std::size_t items_ = 0;  // read of the list within the list
  std::string token_;
};

}  // namespace headlight
