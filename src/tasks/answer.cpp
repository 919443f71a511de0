#include "tasks/answer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tasks/encode.h"
#include "tasks/grouped_task.h"
#include "tasks/scores.h"
#include "text/unicode.h"
#include "text/utf8.h"
#include "throw_error.h"

namespace headlight {
namespace {

constexpr std::size_t kWindowTokens = 384;
constexpr std::size_t kMostAnswers = 1'000'000;

// What of an encoding an answer needs.
struct ContextWindow {
  struct Token {
    std::size_t row;  // of the logits
    Span offsets, code_points;
    std::int32_t word_id;
  };
  std::vector<Token> tokens;         // of the context
  std::vector<std::size_t> classes;  // rows of class tokens

  ContextWindow(const Encoding& encoding, std::optional<std::int32_t> cls_id) {
    for (std::size_t i = 0; i < encoding.size(); ++i) {
      if (encoding.sequence_ids[i] == 1) {
        tokens.push_back({i, encoding.offsets[i], encoding.code_point_offsets[i], encoding.word_ids[i]});
      } else if (encoding.ids[i] == cls_id) {
        classes.push_back(i);
      }
    }
  }
};

// Probabilities of one of the ends: of each token of the window, and of the first token of all.
struct EndScores {
  std::vector<double> tokens;
  double none = 0;

  EndScores(const ContextWindow& window, const Tensor& logits) {
    std::vector<float> rows;
    for (const ContextWindow::Token& token : window.tokens) rows.push_back(logits.data[token.row]);
    for (const std::size_t row : window.classes) rows.push_back(logits.data[row]);
    if (rows.empty()) return;
    tokens = softmax(rows);
    if (!window.classes.empty() && window.classes.front() == 0) none = tokens[window.tokens.size()];
    tokens.resize(window.tokens.size());
  }
};

struct Candidate {
  double score;
  std::size_t first, last;  // among the window's tokens
};

// The `count` best spans of at most `longest` tokens, by falling score.
std::vector<Candidate> best_spans(const EndScores& start, const EndScores& end, std::size_t longest,
                                  std::size_t count) {
  const auto better = [](const Candidate& a, const Candidate& b) { return a.score > b.score; };
  std::vector<Candidate> best;  // a heap, the worst in front
  if (count == 0) return best;
  const std::size_t n = start.tokens.size();
  for (std::size_t first = 0; first < n; ++first) {
    for (std::size_t last = first; last < n && last - first < longest; ++last) {
      const double score = start.tokens[first] * end.tokens[last];
      const bool full = best.size() == count;
      if (full ? !(score > best.front().score) : !(score >= 0)) continue;
      if (full) {
        std::pop_heap(best.begin(), best.end(), better);
        best.pop_back();
      }
      best.push_back({score, first, last});
      std::push_heap(best.begin(), best.end(), better);
    }
  }
  std::sort_heap(best.begin(), best.end(), better);
  return best;
}

struct Range {
  Span utf16, code_points;
};

// From the first to the last token of a candidate, or of the words in which these stand.
Range range_of(const ContextWindow& window, const Candidate& candidate, bool whole_words) {
  std::size_t first = candidate.first, last = candidate.last;
  const auto& tokens = window.tokens;
  const auto same_word = [&](std::size_t a, std::size_t b) {
    return tokens[a].word_id >= 0 && tokens[a].word_id == tokens[b].word_id;
  };
  if (whole_words) {
    while (first > 0 && same_word(first - 1, candidate.first)) --first;
    while (last + 1 < tokens.size() && same_word(last + 1, candidate.last)) ++last;
  }
  return {{tokens[first].offsets.start, tokens[last].offsets.end},
          {tokens[first].code_points.start, tokens[last].code_points.end}};
}

std::u32string in_lower_case(std::u32string_view text) {
  std::u32string lower;
  for (const char32_t c : text) unicode::append_lowercase(c, lower);
  return lower;
}

class AnswerTask final : public GroupedTask<Answers> {
 public:
  AnswerTask(const Model& model, std::span<const Input> inputs, const AnswerOptions& options)
      : GroupedTask(model, inputs, options.text), options_(options), windows_(inputs.size()) {
    start();
  }

 private:
  std::vector<Encoding> encode(std::size_t input) override {
    std::vector<Encoding> passages = fit(input, Truncation::only_second);
    for (const Encoding& passage : passages)
      windows_[input].emplace_back(passage, model().tokenizer().cls_id());
    return passages;
  }

  Answers make_result(std::size_t input, std::vector<ForwardResult> passages) override {
    const std::vector<ContextWindow> windows = std::move(windows_[input]);
    const std::u32string context = decode_utf8(*inputs()[input].text_pair);
    // Some candidates become one when they are widened to whole words.
    const std::size_t count = options_.align_to_words ? 2 * options_.top_k + 10 : options_.top_k;
    std::vector<Answer> answers;
    std::vector<double> scores;
    std::map<std::string, std::uint64_t> by_text;
    double no_answer = 1;
    for (std::size_t w = 0; w < windows.size(); ++w) {
      const EndScores start(windows[w], *passages[w].start_logits);
      const EndScores end(windows[w], *passages[w].end_logits);
      no_answer = std::min(no_answer, start.none * end.none);
      for (const Candidate& candidate : best_spans(start, end, options_.max_answer_length, count)) {
        const auto [utf16, points] = range_of(windows[w], candidate, options_.align_to_words);
        const auto text = std::u32string_view(context).substr(points.start, points.end - points.start);
        const auto [known, is_new] = by_text.emplace(encode_utf8(in_lower_case(text)), answers.size());
        if (is_new) {
          answers.push_back({encode_utf8(text), 0, utf16});
          scores.push_back(0);
        }
        scores[known->second] += candidate.score;
      }
    }
    if (options_.allow_no_answer) {
      answers.push_back({"", 0, {}});
      scores.push_back(no_answer);
    }
    Answers result{{}, std::move(truncated(input))};
    for (const std::size_t i : best_scores(scores, options_.top_k)) {
      result.answers.push_back(std::move(answers[i]));
      result.answers.back().score = static_cast<float>(scores[i]);
    }
    return result;
  }

  AnswerOptions options_;
  std::vector<std::vector<ContextWindow>> windows_;
};

}  // namespace

std::unique_ptr<Task<Answers>> begin_answer(const Model& model, std::span<const Input> inputs,
                                            const AnswerOptions& options) {
  require_task(model.info(), "answer", "a question answering head");
  for (const Input& input : inputs) {
    if (!input.text_pair) {
      throw_error(ErrorCode::E_INVALID_ARGUMENT, "answer needs a question and a context");
    }
  }
  AnswerOptions complete = options;
  TextOptions& text = complete.text;
  text.max_length = std::min(model.info().max_length, text.max_length.value_or(kWindowTokens));
  complete.top_k = std::min(complete.top_k, kMostAnswers);
  return std::make_unique<AnswerTask>(model, inputs, complete);
}

}  // namespace headlight
