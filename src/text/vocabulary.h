#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Tokens and their ids, which may have gaps. All spellings lie in one block of bytes; the hash table holds
// ids with a few bits of the hash: 8 bytes a token for the spelling's place and about 8 for the table.
class Vocabulary {
 public:
  static constexpr std::int32_t id_limit =
      1 << 22;  // ids are smaller; the largest known vocabularies have 2^20

  class Builder {
   public:
    // id in 0 .. id_limit - 1.
    void add(std::string_view token, std::int32_t id);
    std::size_t size() const { return entries_.size(); }
    // What is done with tokens that are spelt alike: they are refused, or the last one counts, or the last one is
    // found by its spelling while the others keep their ids.
    enum class Repeated { refused, last_counts, last_found };
    void set_repeated(Repeated repeated) { repeated_ = repeated; }

   private:
    friend class Vocabulary;
    struct Entry {
      std::uint32_t offset, length;
      std::int32_t id;
    };
    std::string bytes_;
    std::vector<Entry> entries_;
    Repeated repeated_ = Repeated::refused;
  };

  // `file` is named in errors. Throws E_INVALID_TOKENIZER for two tokens of one id or of one spelling.
  Vocabulary(Builder builder, const std::string& file);

  std::optional<std::int32_t> find(std::string_view token) const;
  // Throws E_INVALID_TOKENIZER, which says `what` the token is for and names `file`, where it is missing.
  std::int32_t required(std::string_view token, std::string_view what, const std::string& file) const;
  std::optional<std::string_view> token(std::int32_t id) const;
  std::size_t size() const { return size_; }                                         // tokens
  std::int32_t id_end() const { return static_cast<std::int32_t>(places_.size()); }  // greatest id + 1

  struct Match {
    std::int32_t id;
    std::size_t length;  // bytes of the text, at least 1
  };
  // The longest token that is spelt as `prefix` and the beginning of `text`, which is valid UTF-8.
  std::optional<Match> longest_match(std::string_view prefix, std::string_view text) const;

 private:
  struct Place {
    std::uint32_t offset = 0;
    std::int32_t length = -1;  // -1: no token has this id
  };
  std::size_t slot_of(std::uint64_t hash, std::string_view prefix, std::string_view rest) const;
  std::string_view spelling(std::int32_t id) const;

  std::string bytes_;
  std::vector<Place> places_;         // by id
  std::vector<std::uint32_t> slots_;  // open addressing, a power of two: tag << 24 | id + 1, 0 where empty
  std::size_t size_ = 0;
  std::size_t longest_ = 0;  // bytes
};

}  // namespace headlight
