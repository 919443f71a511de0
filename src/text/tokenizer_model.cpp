#include "text/tokenizer_model.h"
#include "throw_error.h"

#include <algorithm>
#include <limits>

#include "text/template_processing.h"
#include "text/utf8.h"

namespace headlight {

// A token of one text, with no regard yet to truncation and special tokens.
struct TokenizerModel::Token {
  std::int32_t id;
  std::int32_t word;
  Span span;             // code points of the text
  std::string spelling;  // of what is told as the text spells it; empty: as the vocabulary does
};

struct TokenizerModel::Sequence {
  explicit Sequence(std::u32string_view text) {
    utf16_.reserve(text.size() + 1);
    std::uint32_t offset = 0;
    utf16_.push_back(offset);
    for (const char32_t c : text) utf16_.push_back(offset += c > 0xFFFF ? 2 : 1);
  }
  Span in_utf16(Span code_points) const { return {utf16_[code_points.start], utf16_[code_points.end]}; }

  std::vector<Token> tokens;
  std::int32_t words = 0;

 private:
  std::vector<std::uint32_t> utf16_;  // by code point
};

namespace {

// More than 100 bytes each.
constexpr std::size_t max_tokens_left_over = 1 << 22;

[[noreturn]] void refuse(const TextPiece& message) { throw_error(ErrorCode::E_INVALID_ARGUMENT, message); }

std::size_t special_tokens(const Template& layout) {
  std::size_t count = 0;
  for (const TemplatePart& part : layout) count += part.ids.size();
  return count;
}

// A token of an encoding; everything that is not said is as special tokens have it.
struct Row {
  std::int32_t id;
  std::string token;
  std::int32_t type_id = 0;
  Span utf16 = {};
  Span code_points = {};
  std::int32_t word_id = -1;
  std::int32_t sequence_id = -1;
  std::int32_t attention = 1;
  std::int32_t special = 1;
};

void append(Encoding& encoding, Row row) {
  encoding.ids.push_back(row.id);
  encoding.tokens.push_back(std::move(row.token));
  encoding.type_ids.push_back(row.type_id);
  encoding.offsets.push_back(row.utf16);
  encoding.code_point_offsets.push_back(row.code_points);
  encoding.word_ids.push_back(row.word_id);
  encoding.sequence_ids.push_back(row.sequence_id);
  encoding.attention_mask.push_back(row.attention);
  encoding.special_tokens_mask.push_back(row.special);
}

// Code points that begin before a byte, for bytes that never go back.
class CodePointCounter {
 public:
  explicit CodePointCounter(std::string_view utf8) : utf8_(utf8) {}
  std::size_t count_to(std::size_t byte) {
    for (; counted_ < byte; ++counted_) code_points_ += begins_code_point(utf8_[counted_]);
    return code_points_;
  }

 private:
  std::string_view utf8_;
  std::size_t counted_ = 0, code_points_ = 0;
};

template <typename Function>
void for_each_list(Encoding& encoding, Function function) {
  function(encoding.ids);
  function(encoding.tokens);
  function(encoding.type_ids);
  function(encoding.offsets);
  function(encoding.code_point_offsets);
  function(encoding.word_ids);
  function(encoding.sequence_ids);
  function(encoding.attention_mask);
  function(encoding.special_tokens_mask);
}

}  // namespace

TokenizerModel::TokenizerModel(TokenizerParts parts)
    : parts_(std::move(parts)),
      added_tokens_(parts_.added_tokens, parts_.model->vocabulary(), parts_.normalizer.get()) {
  if (!parts_.post_processor) {
    const TemplatePart text{TemplatePart::Kind::text, 0, {}, {}},
        text_pair{TemplatePart::Kind::text_pair, 1, {}, {}};
    parts_.post_processor = std::make_unique<TemplateProcessing>(Template{text}, Template{text, text_pair});
  }
  const auto first_token = [this](const std::vector<std::string>& spellings) -> std::optional<std::int32_t> {
    for (const std::string& spelling : spellings) {
      if (const auto id = token_to_id(spelling)) return id;
    }
    return std::nullopt;
  };
  const SpecialSpellings& special = parts_.special;
  special_ids_ = {first_token(special.cls), first_token(special.sep), first_token(special.pad),
                  first_token(special.mask), first_token(special.unk)};
}

Encoding TokenizerModel::encode(const Input& input, const TokenizeOptions& options) const {
  const bool pair = input.text_pair.has_value();
  const std::size_t room = room_for_text(options, pair);

  std::vector<Sequence> sequences;
  sequences.push_back(tokenize(input.text, options.parse_special_tokens));
  if (pair) sequences.push_back(tokenize(*input.text_pair, options.parse_special_tokens));

  const std::size_t length = sequences[0].tokens.size();
  const std::size_t pair_length = pair ? sequences[1].tokens.size() : 0;
  const Kept kept =
      truncate(length, pair ? std::optional(pair_length) : std::nullopt, room, options.truncation);
  const auto windows = headlight::windows(length, kept.text, options.stride, parts_.truncation_side);
  const auto pair_windows =
      headlight::windows(pair_length, kept.text_pair, options.stride, parts_.truncation_side);

  const auto make = [&](const Window& window, const Window& pair_window) {
    const Window chosen[] = {window, pair_window};
    Encoding encoding =
        assemble(parts_.post_processor->layout(pair), options.add_special_tokens, sequences.data(), chosen);
    if (options.pad_to_max_length) pad(encoding, *options.max_length);
    if (options.for_model && !parts_.token_types) encoding.type_ids.assign(encoding.type_ids.size(), 0);
    return encoding;
  };
  Encoding encoding = make(windows[0], pair_windows[0]);
  const std::size_t left_over = windows.size() * pair_windows.size() - 1;
  if (!options.overflow || left_over == 0) return encoding;
  if (left_over > max_tokens_left_over / encoding.size()) {
    throw_error(ErrorCode::E_TOO_LONG, {"The windows over what truncation cuts off would hold more than ",
                                        max_tokens_left_over, " tokens"});
  }

  // Every window of one text goes with every window of the other, in the order of Hugging Face's tokenizers.
  encoding.overflow.reserve(left_over);
  for (std::size_t i = 1; i < windows.size(); ++i) {
    for (const Window& pair_window : pair_windows) encoding.overflow.push_back(make(windows[i], pair_window));
  }
  for (std::size_t j = 1; j < pair_windows.size(); ++j) {
    encoding.overflow.push_back(make(windows[0], pair_windows[j]));
  }
  return encoding;
}

// Padding is computed from nothing: a mistaken number must not take all memory.
constexpr std::size_t kMostPadding = std::size_t{1} << 16;

// Checks the options and returns how many tokens of text max_length leaves room for.
std::size_t TokenizerModel::room_for_text(const TokenizeOptions& options, bool pair) const {
  const bool truncates = options.truncation != Truncation::none;
  if ((truncates || options.pad_to_max_length) && !options.max_length) {
    refuse("truncation and padding need a maximum length");
  }
  if (options.truncation == Truncation::only_second && !pair)
    refuse("truncation of the second text needs a pair");
  if (options.pad_to_max_length && *options.max_length > kMostPadding) {
    refuse({"padding to ", *options.max_length, " is more than ", kMostPadding, " tokens"});
  }
  if (options.pad_to_max_length && !special_ids_.pad)
    refuse("padding needs a pad token, which this tokenizer lacks");
  if (!truncates) return std::numeric_limits<std::size_t>::max();

  const std::size_t special =
      options.add_special_tokens ? special_tokens(parts_.post_processor->layout(pair)) : 0;
  if (*options.max_length < special) {
    refuse({"the maximum length is ", *options.max_length, ", but the special tokens alone are ", special});
  }
  const std::size_t room = *options.max_length - special;
  if (options.stride != 0 && options.stride >= room) {
    refuse(
        {"stride is ", options.stride, ", but the maximum length leaves room for ", room, " tokens of text"});
  }
  return room;
}

TokenizerModel::Sequence TokenizerModel::tokenize(std::string_view text, bool parse_special) const {
  const std::u32string code_points = decode_utf8(text);
  const std::u32string_view all = code_points;
  Sequence sequence(all);
  for (const auto& [begin, end, id] : added_tokens_.split(all, AddedTokens::Text::original, parse_special)) {
    if (id) {
      const Span span{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
      sequence.tokens.push_back({*id, sequence.words++, span, encode_utf8(all.substr(begin, end - begin))});
    } else {
      tokenize_stretch(AlignedText(all.substr(begin, end - begin), begin), parse_special, sequence);
    }
  }
  return sequence;
}

// What lies between added tokens: normalized, then cut at those that are found in normalized text.
void TokenizerModel::tokenize_stretch(AlignedText text, bool parse_special, Sequence& sequence) const {
  if (parts_.normalizer) parts_.normalizer->normalize(text);
  for (const auto& [begin, end, id] :
       added_tokens_.split(text.code_points, AddedTokens::Text::normalized, parse_special)) {
    AlignedText part = text.slice(begin, end);
    if (id) {
      sequence.tokens.push_back(
          {*id, sequence.words++, text.span(begin, end), encode_utf8(part.code_points)});
    } else {
      tokenize_pieces({std::move(part), {{0, end - begin}}}, sequence);
    }
  }
}

void TokenizerModel::tokenize_pieces(PreTokenizedText text, Sequence& sequence) const {
  if (parts_.pre_tokenizer) parts_.pre_tokenizer->pre_tokenize(text);
  std::vector<TokenModel::Token> tokens;
  for (const auto& piece : text.pieces) {
    const std::string utf8 =
        encode_utf8(std::u32string_view(text.text.code_points).substr(piece.begin, piece.end - piece.begin));
    tokens.clear();
    parts_.model->tokenize(utf8, tokens);
    CodePointCounter begins(utf8), ends(utf8);
    for (const TokenModel::Token& token : tokens) {
      const std::size_t begin = piece.begin + begins.count_to(token.begin + 1) - 1;
      const std::size_t end = piece.begin + ends.count_to(token.end);
      sequence.tokens.push_back(
          {token.id, sequence.words, text.text.span(begin, end),
           token.literal ? utf8.substr(token.begin, token.end - token.begin) : std::string()});
    }
    ++sequence.words;
  }
}

// The encoding of one window of each text.
Encoding TokenizerModel::assemble(const Template& layout, bool with_special, const Sequence* sequences,
                                  const Window* chosen) const {
  Encoding encoding;
  const std::size_t size =
      special_tokens(layout) + (chosen[0].end - chosen[0].begin) + (chosen[1].end - chosen[1].begin);
  for_each_list(encoding, [size](auto& list) { list.reserve(size); });
  for (const TemplatePart& part : layout) {
    if (part.kind == TemplatePart::Kind::special) {
      for (std::size_t i = 0; with_special && i < part.ids.size(); ++i) {
        append(encoding, {.id = part.ids[i], .token = part.tokens[i], .type_id = part.type_id});
      }
      continue;
    }
    const std::size_t which = part.kind == TemplatePart::Kind::text ? 0 : 1;
    for (std::size_t i = chosen[which].begin; i < chosen[which].end; ++i) {
      const Token& token = sequences[which].tokens[i];
      std::string spelling = token.spelling.empty() ? id_to_token(token.id).value_or("") : token.spelling;
      const Span span = parts_.post_processor->trimmed(spelling, token.span, i == chosen[which].begin);
      append(encoding, {.id = token.id,
                        .token = std::move(spelling),
                        .type_id = part.type_id,
                        .utf16 = sequences[which].in_utf16(span),
                        .code_points = span,
                        .word_id = token.word,
                        .sequence_id = static_cast<std::int32_t>(which),
                        .special = 0});
    }
  }
  return encoding;
}

void TokenizerModel::pad(Encoding& encoding, std::size_t length) const {
  const std::size_t size = encoding.size();
  if (size >= length) return;
  const Row padding{
      .id = *special_ids_.pad, .token = id_to_token(*special_ids_.pad).value_or(""), .attention = 0};
  for (std::size_t i = size; i < length; ++i) append(encoding, padding);
  if (parts_.padding_side == Side::left) {
    const auto rotate = [size](auto& list) {
      std::rotate(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(size), list.end());
    };
    for_each_list(encoding, rotate);
  }
}

std::string TokenizerModel::decode(std::span<const std::int32_t> ids, bool skip_special_tokens) const {
  std::vector<std::string> tokens;
  for (const std::int32_t id : ids) {
    if (id < 0 || static_cast<std::size_t>(id) >= vocab_size()) {
      refuse({"the id ", id, " is outside the vocabulary, which ends at ", vocab_size() - 1});
    }
    const AddedTokens::Entry* added = added_tokens_.entry(id);
    if (added != nullptr) {
      if (!added->token.special || !skip_special_tokens) tokens.push_back(added->found_as);
    } else if (const auto token = parts_.model->vocabulary().token(id)) {
      tokens.emplace_back(*token);
    }
  }
  return join(std::move(tokens));
}

std::string TokenizerModel::join(std::vector<std::string> tokens) const {
  if (parts_.decoder) parts_.decoder->decode(tokens);
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0 && !parts_.decoder) text += ' ';
    text += tokens[i];
  }
  return text;
}

std::optional<std::int32_t> TokenizerModel::token_to_id(std::string_view token) const {
  if (const auto id = added_tokens_.find(token)) return id;
  return parts_.model->vocabulary().find(token);
}

std::optional<std::string> TokenizerModel::id_to_token(std::int32_t id) const {
  if (const AddedTokens::Entry* added = added_tokens_.entry(id)) return added->token.content;
  if (const auto token = parts_.model->vocabulary().token(id)) return std::string(*token);
  return std::nullopt;
}

std::size_t TokenizerModel::vocab_size() const {
  return static_cast<std::size_t>(std::max(parts_.model->vocabulary().id_end(), added_tokens_.id_end()));
}

}  // namespace headlight
