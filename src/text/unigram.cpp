#include "text/unigram.h"
#include "throw_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "headlight.h"
#include "text/byte_token.h"
#include "text/utf8.h"

namespace headlight {

namespace {

// An unknown code point scores this much less than the least likely token.
constexpr double unk_penalty = 10;

double check_scores(const Vocabulary& vocabulary, const std::vector<double>& scores,
                    const std::string& file) {
  const auto refuse = [&file](ErrorCode code, const TextPiece& problem) {
    throw_error(code, problem, {.file = file});
  };
  if (scores.size() != static_cast<std::size_t>(vocabulary.id_end())) {
    refuse(ErrorCode::E_INVALID_TOKENIZER,
           {"There are ", scores.size(), " scores for ", vocabulary.id_end(), " tokens"});
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::int32_t id = 0; id < vocabulary.id_end(); ++id) {
    const double score = scores[static_cast<std::size_t>(id)];
    const std::string_view token = vocabulary.token(id).value_or("");
    if (!std::isfinite(score)) {
      refuse(ErrorCode::E_INVALID_TOKENIZER,
             {"The score of the token \"", token, "\" is not a finite number"});
    }
    if (token.size() > Unigram::max_token_length) {
      refuse(ErrorCode::E_UNSUPPORTED_TOKENIZER,
             {"The token of the id ", id, " is longer than ", Unigram::max_token_length, " bytes"});
    }
    least = std::min(least, score);
  }
  return least;
}

}  // namespace

Unigram::Unigram(Vocabulary vocabulary, std::vector<double> scores, const Options& options,
                 const std::string& file)
    : vocabulary_(std::move(vocabulary)),
      scores_(std::move(scores)),
      unk_score_(check_scores(vocabulary_, scores_, file) - unk_penalty),
      trie_(vocabulary_),
      options_(options) {
  if (!vocabulary_.token(options_.unk_id)) {
    throw_error(ErrorCode::E_INVALID_TOKENIZER,
                {"The unknown token's id ", options_.unk_id, " is outside the vocabulary"}, {.file = file});
  }
}

void Unigram::tokenize(std::string_view piece, std::vector<Token>& tokens) const {
  // The best way to cut what lies before a byte: where its last token begins.
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  struct Best {
    double score = 0;
    std::size_t begin = none;
    std::int32_t id = 0;
  };
  std::vector<Best> best(piece.size() + 1);
  const auto offer = [&best](std::size_t begin, std::size_t end, std::int32_t id, double score) {
    // Of equal scores the one whose last token begins earliest stays.
    if (best[end].begin == none || score > best[end].score) best[end] = {score, begin, id};
  };
  for (std::size_t begin = 0, next; begin < piece.size(); begin = next) {
    next = begin + 1;
    while (next < piece.size() && !begins_code_point(piece[next])) ++next;
    const double score = best[begin].score;
    bool is_token = false;  // the code point alone
    trie_.for_each_prefix(vocabulary_, piece.substr(begin), [&](std::int32_t id, std::size_t length) {
      offer(begin, begin + length, id, scores_[static_cast<std::size_t>(id)] + score);
      is_token |= begin + length == next;
    });
    if (!is_token) offer(begin, next, options_.unk_id, unk_score_ + score);
  }

  std::vector<std::size_t> borders;  // from the end; none between neighbouring unknown code points
  bool unknown = false;
  for (std::size_t end = piece.size(); end > 0; end = best[end].begin) {
    const bool joins = unknown && best[end].id == options_.unk_id;
    if (!joins) borders.push_back(end);
    unknown = best[end].id == options_.unk_id;
  }
  std::size_t begin = 0;
  for (auto end = borders.rbegin(); end != borders.rend(); ++end) {
    append(piece, begin, *end, tokens);
    begin = *end;
  }
}

void Unigram::append(std::string_view piece, std::size_t begin, std::size_t end,
                     std::vector<Token>& tokens) const {
  const std::string_view text = piece.substr(begin, end - begin);
  if (const auto id = vocabulary_.find(text)) {
    tokens.push_back({*id, begin, end});
    return;
  }
  if (options_.byte_fallback) {
    const std::size_t already = tokens.size();
    for (const char byte : text) {
      const auto id = vocabulary_.find(byte_token(static_cast<unsigned char>(byte)));
      if (!id) {
        tokens.resize(already);
        break;
      }
      tokens.push_back({*id, begin, end});
    }
    if (tokens.size() > already) return;
  }
  tokens.push_back({options_.unk_id, begin, end, true});
}

}  // namespace headlight
