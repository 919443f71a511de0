#include "tasks/entities.h"

#include <algorithm>
#include <utility>

#include "tasks/encode.h"
#include "tasks/grouped_task.h"
#include "tasks/token_scores.h"
#include "text/unicode.h"
#include "text/utf8.h"
#include "throw_error.h"

namespace headlight {
namespace {

std::size_t best_of(const std::vector<double>& scores) {
  return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

// Tokens first … last of a text, which are of one label.
struct Piece {
  std::size_t label;
  double score;
  std::string word;
  std::size_t first, last;
};

// Turns the scored tokens of one text into entities.
class Reader {
 public:
  Reader(const Model& model, const EntityOptions& options, std::string_view text,
         std::span<const EntityLabel> scheme, std::vector<ScoredToken> tokens)
      : model_(model),
        options_(options),
        scheme_(scheme),
        text_(decode_utf8(text)),
        tokens_(std::move(tokens)) {
    for (ScoredToken& token : tokens_) {
      if (token.id == model_.tokenizer().unk_id()) token.text = slice(token.code_points);
    }
  }

  std::vector<Entity> read() const {
    if (options_.aggregation == Aggregation::none) return each_token();
    return merge(options_.aggregation == Aggregation::simple ? tokens_as_pieces() : words());
  }

 private:
  std::string slice(Span code_points) const {
    return encode_utf8(
        std::u32string_view(text_).substr(code_points.start, code_points.end - code_points.start));
  }

  bool ignored(std::string_view entity) const {
    return std::find(options_.ignore_labels.begin(), options_.ignore_labels.end(), entity) !=
           options_.ignore_labels.end();
  }

  std::vector<Entity> each_token() const {
    std::vector<Entity> entities;
    for (const ScoredToken& token : tokens_) {
      const std::size_t label = best_of(token.scores);
      const std::string& name = model_.info().labels[label];
      if (ignored(name)) continue;
      entities.push_back(
          {name, static_cast<float>(token.scores[label]), token.text, token.offsets, token.index});
    }
    return entities;
  }

  std::vector<Piece> tokens_as_pieces() const {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::size_t label = best_of(tokens_[i].scores);
      pieces.push_back({label, tokens_[i].scores[label], tokens_[i].text, i, i});
    }
    return pieces;
  }

  // Whether token i belongs to the word of the token before it.
  bool continues_word(std::size_t i) const {
    const ScoredToken& token = tokens_[i];
    if (options_.aggregation == Aggregation::word) {
      return token.word_id >= 0 && token.word_id == tokens_[i - 1].word_id;
    }
    if (token.id == model_.tokenizer().unk_id()) return false;
    const auto [start, end] = token.code_points;
    // A mark makes the token longer than what it stands for.
    if (model_.tokenizer().marks_continuations()) return decode_utf8(token.text).size() != end - start;
    const std::u32string_view around = std::u32string_view(text_).substr(std::max(start, 1u) - 1, 2);
    return start > 0 && around.find(U' ') == around.npos;
  }

  std::vector<Piece> words() const {
    std::vector<Piece> words;
    for (std::size_t first = 0, end = 1; first < tokens_.size(); first = end, ++end) {
      while (end < tokens_.size() && continues_word(end)) ++end;
      words.push_back(word(first, end - 1));
    }
    return words;
  }

  Piece word(std::size_t first, std::size_t last) const {
    const auto tokens = std::span(tokens_).subspan(first, last - first + 1);
    std::vector<double> scores = tokens.front().scores;
    if (options_.aggregation == Aggregation::max) {
      for (const ScoredToken& token : tokens) {
        if (token.scores[best_of(token.scores)] > scores[best_of(scores)]) scores = token.scores;
      }
    } else if (options_.aggregation != Aggregation::first) {
      for (std::size_t label = 0; label < scores.size(); ++label) {
        for (const ScoredToken& token : tokens.subspan(1)) scores[label] += token.scores[label];
        scores[label] /= static_cast<double>(tokens.size());
      }
    }
    std::vector<std::string> texts;
    for (const ScoredToken& token : tokens) texts.push_back(token.text);
    const std::size_t label = best_of(scores);
    return {label, scores[label], model_.tokenizer().join(texts), first, last};
  }

  std::vector<Entity> merge(const std::vector<Piece>& pieces) const {
    std::vector<Entity> entities;
    for (std::size_t first = 0, end = 1; first < pieces.size(); first = end, ++end) {
      const EntityLabel& label = scheme_[pieces[first].label];
      while (end < pieces.size() &&
             continues_entity(scheme_[pieces[end - 1].label], scheme_[pieces[end].label])) {
        ++end;
      }
      if (!ignored(label.name)) entities.push_back(entity(std::span(pieces).subspan(first, end - first)));
    }
    return entities;
  }

  Entity entity(std::span<const Piece> pieces) const {
    double score = 0;
    std::vector<std::string> words;
    for (const Piece& piece : pieces) {
      score += piece.score;
      words.push_back(piece.word);
    }
    const ScoredToken& first = tokens_[pieces.front().first];
    const ScoredToken& last = tokens_[pieces.back().last];
    Entity entity{.entity = std::string(scheme_[pieces.front().label].name),
                  .score = static_cast<float>(score / static_cast<double>(pieces.size())),
                  .word = {},
                  .offsets = {first.offsets.start, last.offsets.end}};
    if (options_.aggregation == Aggregation::word) {
      Span code_points{first.code_points.start, last.code_points.end};
      trim(code_points, entity.offsets);
      entity.word = slice(code_points);
    } else {
      entity.word = model_.tokenizer().join(words);
    }
    return entity;
  }

  // Takes whitespace, which some tokenizers count to a word, off both ends.
  void trim(Span& code_points, Span& utf16) const {
    const auto is_space = [&](std::uint32_t i) { return unicode::has(text_[i], unicode::whitespace); };
    for (; code_points.start < code_points.end && is_space(code_points.start); ++code_points.start)
      ++utf16.start;
    for (; code_points.start < code_points.end && is_space(code_points.end - 1); --code_points.end)
      --utf16.end;
  }

  const Model& model_;
  const EntityOptions& options_;
  std::span<const EntityLabel> scheme_;
  std::u32string text_;
  std::vector<ScoredToken> tokens_;
};

class EntitiesTask final : public GroupedTask<Entities> {
 public:
  EntitiesTask(const Model& model, std::span<const Input> inputs, const EntityOptions& options)
      : GroupedTask(model, inputs, options.text),
        options_(options),
        scheme_(read_entity_labels(model.info().labels)),
        windows_(inputs.size()) {
    start();
  }

 private:
  std::vector<Encoding> encode(std::size_t input) override {
    std::vector<Encoding> passages = fit(input);
    windows_[input] = TokenWindows(passages);
    return passages;
  }

  Entities make_result(std::size_t input, std::vector<ForwardResult> passages) override {
    TokenWindows windows = std::move(windows_[input]);
    const Reader reader(model(), options_, inputs()[input].text, scheme_, std::move(windows).score(passages));
    return {reader.read(), std::move(truncated(input))};
  }

  EntityOptions options_;
  std::vector<EntityLabel> scheme_;
  std::vector<TokenWindows> windows_;
};

}  // namespace

std::vector<EntityLabel> read_entity_labels(std::span<const std::string> labels) {
  const auto has = [labels](const std::string& label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
  };
  constexpr std::string_view kPositions = "BIESLU";
  std::vector<EntityLabel> read;
  for (const std::string& label : labels) {
    const std::string name = label.size() > 2 && label[1] == '-' ? label.substr(2) : "";
    char position = name.empty() || kPositions.find(label[0]) == kPositions.npos ? 0 : label[0];
    const bool sure = position == 'B' || position == 'I' || has("B-" + name) || has("I-" + name);
    if (position == 0 || !sure) {
      read.push_back({'I', label});
      continue;
    }
    if (position == 'L') position = 'E';
    if (position == 'U') position = 'S';
    read.push_back({position, std::string_view(label).substr(2)});
  }
  return read;
}

bool continues_entity(const EntityLabel& previous, const EntityLabel& next) {
  const bool begins = next.position == 'B' || next.position == 'S';
  const bool ended = previous.position == 'E' || previous.position == 'S';
  return previous.name == next.name && !begins && !ended;
}

std::unique_ptr<Task<Entities>> begin_entities(const Model& model, std::span<const Input> inputs,
                                               const EntityOptions& options) {
  require_task(model.info(), "entities", "a token classification head");
  for (const Input& input : inputs) {
    if (input.text_pair) throw_error(ErrorCode::E_INVALID_ARGUMENT, "entities reads one text, not a pair");
  }
  return std::make_unique<EntitiesTask>(model, inputs, options);
}

}  // namespace headlight
