#include "tasks/answer.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "headlight.h"
#include "support/files.h"
#include "support/golden_report.h"
#include "support/own_model.h"
#include "support/pipeline_golden.h"
#include "text/utf8.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

std::vector<Answer> answers(const Model& model, const std::string& question, const std::string& context,
                            const AnswerOptions& options = {}) {
  const Input input{question, context};
  return model.answer({&input, 1}, options).at(0).answers;
}

std::size_t check_pipeline(const std::filesystem::path& root) {
  return for_each_call(root, "question-answering", [](const Model& model, const nlohmann::json& call) {
    const auto& given = call["options"];
    AnswerOptions options{.top_k = given.value("top_k", std::size_t{1}),
                          .max_answer_length = given.value("max_answer_len", std::size_t{15}),
                          .allow_no_answer = given.value("handle_impossible_answer", false),
                          .align_to_words = given.value("align_to_words", true)};
    if (given.contains("max_seq_len")) options.text.max_length = given["max_seq_len"].get<std::size_t>();
    if (given.contains("doc_stride")) options.text.stride = given["doc_stride"].get<std::size_t>();
    const auto actual = answers(model, call["question"], call["context"], options);
    const auto& expected = call["result"];
    REQUIRE(actual.size() == expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      CHECK(actual[i].answer == expected[i]["answer"].get<std::string>());
      CHECK(actual[i].offsets.start == expected[i]["start_utf16"].get<std::uint32_t>());
      CHECK(actual[i].offsets.end == expected[i]["end_utf16"].get<std::uint32_t>());
      check_score(actual[i].score, expected[i]["score"]);
    }
  });
}

// The windows into which a long context is cut.
std::size_t check_overflow(const std::filesystem::path& root) {
  std::size_t windows = 0;
  for (const auto& folder : golden_cases(root)) {
    const auto golden = nlohmann::json::parse(read_file(folder / "golden.json"));
    const auto overflow = golden.value("overflow", nlohmann::json());
    if (overflow.is_null()) continue;
    INFO(folder.filename().string());
    const Model model = Model::load(folder);
    const auto& options = overflow["options"];
    Encoding encoding = model.tokenizer().encode({overflow["question"], overflow["context"]},
                                                 {.max_length = options["max_length"].get<std::size_t>(),
                                                  .truncation = Truncation::only_second,
                                                  .stride = options["stride"].get<std::size_t>()});
    REQUIRE(overflow["windows"].size() == encoding.overflow.size() + 1);
    for (std::size_t w = 0; w < overflow["windows"].size(); ++w) {
      const auto& expected = overflow["windows"][w];
      const Encoding& window = w == 0 ? encoding : encoding.overflow[w - 1];
      CHECK(window.ids == expected["input_ids"].get<std::vector<std::int32_t>>());
      CHECK(window.tokens == expected["tokens"].get<std::vector<std::string>>());
      for (std::size_t i = 0; i < window.size(); ++i) {
        CHECK(window.code_point_offsets[i].start == expected["offsets"][i][0].get<std::uint32_t>());
        CHECK(window.code_point_offsets[i].end == expected["offsets"][i][1].get<std::uint32_t>());
      }
      ++windows;
    }
  }
  return windows;
}

TEST_CASE("answer agrees with transformers' pipeline on the committed goldens") {
  CHECK(check_pipeline(committed_golden()) >= 40);
  CHECK(check_overflow(committed_golden()) >= 4);
}

TEST_CASE("answer agrees with transformers' pipeline on all goldens") {
  const auto root = whole_golden();
  if (!root) SKIP("the whole set of goldens is not beside the checkout; HEADLIGHT_GOLDEN may name it");
  CHECK(check_pipeline(*root) >= 80);
  CHECK(check_overflow(*root) >= 8);
}

Model question_answerer(std::size_t length = 512) {
  return random_model_of({.architecture = "BertForQuestionAnswering", .max_position_embeddings = length});
}

TEST_CASE("an answer is the text of its span, of at most as many tokens as allowed") {
  const Model model = question_answerer();
  const std::string context = "\xF0\x9F\x98\x80 a bc d e f";  // an emoji of two UTF-16 units
  const auto all =
      answers(model, "who", context, {.top_k = 100, .max_answer_length = 2, .align_to_words = false});
  REQUIRE(all.size() > 5);
  for (const Answer& answer : all) {
    CHECK(answer.offsets.start < answer.offsets.end);
    CHECK(answer.offsets.end <= 13);
    CHECK(decode_utf8(answer.answer).size() <= 4);
    CHECK(answer.score >= 0);
  }
  for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i - 1].score >= all[i].score);
  for (const Answer& answer : answers(model, "who", "abc def", {.top_k = 50})) {
    CHECK((answer.answer == "abc" || answer.answer == "def" || answer.answer == "abc def"));
  }
}

TEST_CASE("special tokens in question and context do not open a way across") {
  const Model model = question_answerer();
  for (const Answer& answer : answers(model, "who [SEP] [CLS] x", "a [SEP] b", {.top_k = 50})) {
    CHECK(std::string("a [SEP] b").find(answer.answer) != std::string::npos);
  }
}

TEST_CASE("the empty answer competes where it may, and an empty context has no other") {
  const Model model = question_answerer();
  CHECK(answers(model, "who", "").empty());
  const auto none = answers(model, "who", "", {.allow_no_answer = true});
  REQUIRE(none.size() == 1);
  CHECK(none[0].answer.empty());
  CHECK(std::abs(none[0].score - 1) <= 1e-6);
  std::size_t empty = 0;
  for (const Answer& answer : answers(model, "who", "a b", {.top_k = 9, .allow_no_answer = true})) {
    empty += answer.answer.empty();
  }
  CHECK(empty == 1);
}

TEST_CASE("a long context is read to its end, cut or refused") {
  const Model model = question_answerer(24);
  std::string context;
  for (int i = 0; i < 200; ++i) context += "a ";
  context += "z";
  const Input input{"who", context};
  const auto windows = model.answer({&input, 1}, {.top_k = 1000, .max_answer_length = 1})[0];
  CHECK(windows.truncated.empty());
  bool end = false;
  for (const Answer& answer : windows.answers) end = end || answer.answer == "z";
  CHECK(end);
  const auto cut = model.answer({&input, 1}, {.text = {.overlong = Overlong::truncate}})[0];
  REQUIRE(cut.truncated.size() == 1);
  CHECK(cut.truncated[0].in_pair);
  CHECK(error_of([&] { model.answer({&input, 1}, {.text = {.overlong = Overlong::error}}); }).code() ==
        ErrorCode::E_TOO_LONG);
  const Input question{context, "a b"};
  CHECK(error_of([&] { model.answer({&question, 1}); }).code() == ErrorCode::E_TOO_LONG);
}

TEST_CASE("answer needs a context and a model that answers") {
  const Model model = question_answerer();
  const Input alone{"who"};
  CHECK(error_of([&] { model.answer({&alone, 1}); }).code() == ErrorCode::E_INVALID_ARGUMENT);
  CHECK(model.answer({}).empty());
  CHECK(error_of([&] { answers(random_model_of({}), "who", "a"); }).code() == ErrorCode::E_TASK_MISMATCH);
}

}  // namespace
}  // namespace headlight::test
