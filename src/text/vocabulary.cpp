#include "text/vocabulary.h"
#include "throw_error.h"

#include <algorithm>
#include <bit>

#include "headlight.h"
#include "text/utf8.h"

namespace headlight {

namespace {

// FNV-1a: the hash of a longer token continues that of its beginning.
constexpr std::uint64_t hash_start = 0xCBF29CE484222325;

std::uint64_t continue_hash(std::uint64_t hash, std::string_view bytes) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
  return hash;
}

constexpr std::uint32_t id_bits = 24, id_mask = (1U << id_bits) - 1;
static_assert(Vocabulary::id_limit < (1 << id_bits));

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 56) << id_bits; }
std::size_t first_slot(std::uint64_t hash) { return static_cast<std::size_t>(hash ^ hash >> 32); }

}  // namespace

void Vocabulary::Builder::add(std::string_view token, std::int32_t id) {
  entries_.push_back(
      {static_cast<std::uint32_t>(bytes_.size()), static_cast<std::uint32_t>(token.size()), id});
  bytes_ += token;
}

Vocabulary::Vocabulary(Builder builder, const std::string& file) : bytes_(std::move(builder.bytes_)) {
  bytes_.shrink_to_fit();
  std::int32_t end = 0;
  for (const auto& entry : builder.entries_) end = std::max(end, entry.id + 1);
  places_.resize(static_cast<std::size_t>(end));
  slots_.resize(std::bit_ceil(builder.entries_.size() * 3 / 2 + 1));

  for (const auto& entry : builder.entries_) {
    const std::string_view token(bytes_.data() + entry.offset, entry.length);
    const auto refuse = [&](const TextPiece& reason) {
      throw_error(ErrorCode::E_INVALID_TOKENIZER, {"The vocabulary's token \"", token, "\" has ", reason},
                  {.file = file});
    };
    Place& place = places_[static_cast<std::size_t>(entry.id)];
    if (place.length >= 0) refuse({"the id of another one, ", entry.id});
    place = {entry.offset, static_cast<std::int32_t>(entry.length)};

    const std::uint64_t hash = continue_hash(hash_start, token);
    std::uint32_t& slot = slots_[slot_of(hash, token, {})];
    if (slot != 0) {
      if (builder.repeated_ == Builder::Repeated::refused) refuse("two ids");
      if (builder.repeated_ == Builder::Repeated::last_counts) places_[(slot & id_mask) - 1] = {}, --size_;
    }
    ++size_;
    slot = tag_of(hash) | static_cast<std::uint32_t>(entry.id + 1);
    longest_ = std::max<std::size_t>(longest_, entry.length);
  }
}

std::optional<std::int32_t> Vocabulary::find(std::string_view token) const {
  const std::uint32_t slot = slots_[slot_of(continue_hash(hash_start, token), token, {})];
  if (slot == 0) return std::nullopt;
  return static_cast<std::int32_t>(slot & id_mask) - 1;
}

std::int32_t Vocabulary::required(std::string_view token, std::string_view what,
                                  const std::string& file) const {
  const std::optional<std::int32_t> id = find(token);
  if (!id) {
    throw_error(ErrorCode::E_INVALID_TOKENIZER, {"The vocabulary lacks the ", what, " \"", token, "\""},
                {.file = file});
  }
  return *id;
}

std::optional<std::string_view> Vocabulary::token(std::int32_t id) const {
  if (id < 0 || id >= id_end() || places_[static_cast<std::size_t>(id)].length < 0) return std::nullopt;
  return spelling(id);
}

std::optional<Vocabulary::Match> Vocabulary::longest_match(std::string_view prefix,
                                                           std::string_view text) const {
  std::optional<Match> longest;
  std::uint64_t hash = continue_hash(hash_start, prefix);
  for (std::size_t end = 0; end < text.size() && prefix.size() + end < longest_;) {
    const std::size_t begin = end;
    do ++end;
    while (end < text.size() && !begins_code_point(text[end]));
    hash = continue_hash(hash, text.substr(begin, end - begin));
    const std::uint32_t slot = slots_[slot_of(hash, prefix, text.substr(0, end))];
    if (slot != 0) longest = Match{static_cast<std::int32_t>(slot & id_mask) - 1, end};
  }
  return longest;
}

// The slot of the token that is spelt prefix + rest, or the empty one where it would be.
std::size_t Vocabulary::slot_of(std::uint64_t hash, std::string_view prefix, std::string_view rest) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = first_slot(hash) & mask;
  for (; slots_[i] != 0; i = (i + 1) & mask) {
    if ((slots_[i] & ~id_mask) != tag_of(hash)) continue;
    const std::string_view token = spelling(static_cast<std::int32_t>(slots_[i] & id_mask) - 1);
    if (token.size() == prefix.size() + rest.size() && token.starts_with(prefix) && token.ends_with(rest))
      break;
  }
  return i;
}

std::string_view Vocabulary::spelling(std::int32_t id) const {
  const Place& place = places_[static_cast<std::size_t>(id)];
  return {bytes_.data() + place.offset, static_cast<std::size_t>(place.length)};
}

}  // namespace headlight
