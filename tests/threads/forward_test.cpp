// The forward pass on several threads.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "headlight.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/random_bert.h"
#include "support/same.h"

namespace headlight::test {
namespace {

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

void check_same(const std::filesystem::path& folder, std::span<const Encoding> encodings,
                std::initializer_list<Precision> precisions, std::initializer_list<std::size_t> counts) {
  for (const Precision precision : precisions) {
    const auto load = [&](std::size_t threads) {
      return Model::load(folder, {.precision = precision, .threads = threads});
    };
    const auto alone = run_all(load(1), encodings);
    for (const std::size_t threads : counts) {
      INFO(threads << " threads");
      const auto shared = run_all(load(threads), encodings);
      for (std::size_t i = 0; i < alone.size(); ++i) {
        CHECK(same(alone[i], shared[i]));
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
    check_same(folder.path(), encodings, {Precision::float32, Precision::int8}, {2, 3, 7});
    check_same(folder.path(), std::span(encodings).last(1), {Precision::float32}, {2});
  }
}

TEST_CASE("every family gives the same results on several threads") {
  std::size_t models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(committed_golden())) {
    if (!std::filesystem::exists(entry.path() / "config.json")) continue;
    INFO(entry.path().filename().string());
    const Model model = Model::load(entry.path());
    std::string text;
    while (text.size() < 300) text += "a film that was not good, and long; ";
    const Encoding encoding =
        model.tokenizer().encode(Input{.text = text, .text_pair = std::nullopt},
                                 {.max_length = std::min<std::size_t>(model.info().max_length, 64),
                                  .truncation = Truncation::longest_first});
    // The models are small: a batch gives several threads work.
    check_same(entry.path(), std::vector<Encoding>(16, encoding), {Precision::automatic}, {3});
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
