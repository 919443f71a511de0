// The forward pass on several threads.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "headlight.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/golden_report.h"
#include "support/random_bert.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

bool same(const std::optional<Tensor>& a, const std::optional<Tensor>& b) {
  return a.has_value() == b.has_value() && (!a || (a->shape == b->shape && a->data == b->data));
}

bool same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Tensor& x, const Tensor& y) { return same(x, y); });
}

bool same(const ForwardResult& a, const ForwardResult& b) {
  return same(a.logits, b.logits) && same(a.start_logits, b.start_logits) &&
         same(a.end_logits, b.end_logits) && same(a.last_hidden_state, b.last_hidden_state) &&
         same(a.pooler_output, b.pooler_output) && same(a.hidden_states, b.hidden_states) &&
         same(a.attentions, b.attentions) && same(a.queries, b.queries) && same(a.keys, b.keys) &&
         same(a.values, b.values);
}

// Results with all that can be kept, and of logits alone; in one step and in small ones.
std::vector<std::vector<ForwardResult>> run_all(const Model& model, std::span<const Encoding> encodings) {
  std::vector<std::vector<ForwardResult>> results;
  for (const ForwardOptions& options : {everything(), ForwardOptions{}}) {
    results.push_back(model.forward(encodings, options));
    const auto run = model.begin_forward(encodings, options);
    while (run->step(3'000'000)) {
    }
    results.push_back(run->result());
  }
  return results;
}

void check_same(const std::filesystem::path& folder, std::span<const Encoding> encodings) {
  for (const Precision precision : {Precision::float32, Precision::int8}) {
    const auto load = [&](std::size_t threads) {
      return Model::load(folder, {.precision = precision, .threads = threads});
    };
    const auto alone = run_all(load(1), encodings);
    for (const std::size_t threads : {2, 3, 7}) {
      INFO(threads << " threads");
      const auto shared = run_all(load(threads), encodings);
      for (std::size_t i = 0; i < alone.size(); ++i) {
        CHECK(std::equal(alone[i].begin(), alone[i].end(), shared[i].begin(), shared[i].end(),
                         [](const ForwardResult& a, const ForwardResult& b) { return same(a, b); }));
      }
    }
  }
}

TEST_CASE("any number of threads gives the same results to the bit") {
  for (const char* architecture : {"BertForSequenceClassification", "BertForQuestionAnswering"}) {
    const RandomBert shape{.architecture = architecture,
                           .hidden_size = 100,
                           .num_hidden_layers = 2,
                           .num_attention_heads = 5,
                           .intermediate_size = 300};
    const TemporaryFolder folder;
    write_bert(folder.path(), shape);
    const std::vector<Encoding> encodings{random_encoding(shape, 300), random_encoding(shape, 7),
                                          random_encoding(shape, 129)};
    check_same(folder.path(), encodings);
    check_same(folder.path(), std::span(encodings).last(1));
  }
}

TEST_CASE("every family gives the same results on several threads") {
  std::size_t models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(committed_golden())) {
    if (!std::filesystem::exists(entry.path() / "config.json")) continue;
    INFO(entry.path().filename().string());
    const Model model = Model::load(entry.path());
    std::string text;
    while (text.size() < 4 * model.info().max_length) text += "a film that was not good, and long; ";
    const std::vector<Encoding> encodings{model.tokenizer().encode(
        Input{.text = text}, {.max_length = model.info().max_length, .truncation = Truncation::longest_first})};
    check_same(entry.path(), encodings);
    ++models;
  }
  CHECK(models > 10);
}

TEST_CASE("a number of threads that is none is refused") {
  const TemporaryFolder folder;
  write_bert(folder.path(), {});
  for (const std::size_t threads : {0, 65}) {
    try {
      Model::load(folder.path(), {.threads = threads});
      FAIL("it was loaded");
    } catch (const Error& error) {
      CHECK(std::string(error.code_name()) == "E_INVALID_ARGUMENT");
    }
  }
}

}  // namespace
}  // namespace headlight::test
