// Runs: in steps, beside each other, with and without what they keep.
#include <catch2/catch_test_macros.hpp>

#include "headlight.h"
#include "support/closeness.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/own_model.h"
#include "support/random_bert.h"
#include "support/same.h"

namespace headlight::test {
namespace {

const RandomBert kShape{.hidden_size = 15, .num_hidden_layers = 3, .num_attention_heads = 3};

Model random_model(const RandomBert& shape = kShape) { return random_model_of(shape); }

std::vector<Encoding> texts() {
  return {random_encoding(kShape, 70), random_encoding(kShape, 1, 0, 2), random_encoding(kShape, 13, 0, 3)};
}

TEST_CASE("the smallest steps give what one step gives, and progress only grows until it is complete") {
  const Model model = random_model();
  const std::vector<Encoding> encodings = texts();
  const auto whole = model.forward(encodings, everything());

  const auto run = model.begin_forward(encodings, everything());
  std::uint64_t before = run->work_done();
  CHECK(before == 0);
  std::size_t steps = 0, falls = 0;
  while (run->step(1)) {
    ++steps;
    falls += run->work_done() < before;
    before = run->work_done();
  }
  CHECK(steps > 10);
  CHECK(falls == 0);
  CHECK(run->work_done() == run->work_total());
  CHECK_FALSE(run->step(1));
  CHECK(same(run->result(), whole));
}

TEST_CASE("a step does no more than it is asked to beyond one unit") {
  const Model model = random_model();
  const std::vector<Encoding> encodings = texts();
  const auto smallest = model.begin_forward(encodings, {});
  std::uint64_t largest_unit = 0, before = 0;
  while (smallest->step(1)) {
    largest_unit = std::max(largest_unit, smallest->work_done() - before);
    before = smallest->work_done();
  }
  for (const std::uint64_t work : {10'000u, 100'000u, 1'000'000u}) {
    const auto run = model.begin_forward(encodings, {});
    std::size_t too_long = 0;
    before = 0;
    bool more = true;
    while (more) {
      more = run->step(work);
      too_long += run->work_done() - before > std::max(work, largest_unit);
      before = run->work_done();
    }
    CHECK(too_long == 0);
  }
}

TEST_CASE("two runs of one model take turns and disturb nothing") {
  const Model model = random_model();
  const std::vector<Encoding> first = texts(), second{random_encoding(kShape, 33, 0, 9)};
  const auto first_alone = model.forward(first, everything()),
             second_alone = model.forward(second, everything());
  const auto a = model.begin_forward(first, everything()), b = model.begin_forward(second, everything());
  bool more = true;
  while (more) {
    const bool more_of_a = a->step(1), more_of_b = b->step(1);
    more = more_of_a || more_of_b;
  }
  CHECK(same(a->result(), first_alone));
  CHECK(same(b->result(), second_alone));
}

TEST_CASE("a run that is dropped half-way leaves the model as it was") {
  const Model model = random_model();
  const std::vector<Encoding> encodings = texts();
  const auto before = model.forward(encodings, everything());
  model.begin_forward(encodings, everything())->step(1);
  CHECK(same(model.forward(encodings, everything()), before));
}

TEST_CASE("a batch gives each text the very numbers that it gets alone") {
  const Model model = random_model();
  const std::vector<Encoding> encodings = texts();
  const auto together = model.forward(encodings, everything());
  for (std::size_t i = 0; i < encodings.size(); ++i) {
    CHECK(same(together[i], model.forward({&encodings[i], 1}, everything())[0]));
  }
}

TEST_CASE("what is kept does not change what is computed") {
  for (const char* architecture : {"BertForSequenceClassification", "BertForTokenClassification"}) {
    RandomBert shape = kShape;
    shape.architecture = architecture;
    const Model model = random_model(shape);
    const std::vector<Encoding> encodings = texts();
    const auto bare = model.forward(encodings), all = model.forward(encodings, everything()),
               attentive = model.forward(encodings, {.attentions = true}),
               last_layer = model.forward(encodings, {.attentions = true, .layers = {-1}, .heads = {1}});
    for (std::size_t i = 0; i < encodings.size(); ++i) {
      INFO(architecture << ", text " << i);
      CHECK(same(bare[i].logits, all[i].logits));
      CHECK(same(bare[i].logits, attentive[i].logits));
      CHECK(same(bare[i].logits, last_layer[i].logits));
      CHECK(same(attentive[i].attentions, all[i].attentions));
      CHECK(bare[i].attentions.empty());
      CHECK_FALSE(bare[i].hidden_states);
    }
  }
}

TEST_CASE("layers, heads and queries choose among the attentions") {
  const Model model = random_model();
  const std::vector<Encoding> encodings{random_encoding(kShape, 13)};
  const ForwardResult all = model.forward(encodings, everything())[0];
  ForwardOptions options = everything();
  options.layers = {-1, 0};
  options.heads = {2, -3};
  options.attention_queries = {12, 0, 5};
  const ForwardResult chosen = model.forward(encodings, options)[0];

  REQUIRE(chosen.attentions.size() == 2);
  const std::size_t layers[] = {2, 0}, heads[] = {2, 0}, n = 13;
  for (std::size_t l = 0; l < 2; ++l) {
    REQUIRE(chosen.attentions[l].shape == std::vector<std::size_t>{2, 3, n});
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t q = 0; q < 3; ++q) {
        const auto row = chosen.attentions[l].data.begin() + static_cast<std::ptrdiff_t>((h * 3 + q) * n);
        const auto expected = all.attentions[layers[l]].data.begin() +
                              static_cast<std::ptrdiff_t>((heads[h] * n + options.attention_queries[q]) * n);
        CHECK(std::equal(expected, expected + static_cast<std::ptrdiff_t>(n), row));
      }
    }
    CHECK(chosen.queries[l].shape == std::vector<std::size_t>{2, n, 5});
  }
  CHECK(same(chosen.logits, all.logits));
  CHECK(same(chosen.hidden_states, all.hidden_states));
}

ErrorCode code_of(const Model& model, const std::vector<Encoding>& encodings,
                  const ForwardOptions& options = {}) {
  try {
    model.forward(encodings, options);
  } catch (const Error& error) {
    CHECK_FALSE(error.message().empty());
    return error.code();
  }
  return ErrorCode::E_INTERNAL;
}

TEST_CASE("arguments out of range are refused and the model goes on working") {
  const Model model = random_model();
  const Encoding good = random_encoding(kShape, 5);
  Encoding unknown_id = good, negative_id = good, unknown_type = good, ragged = good, all_padding = good;
  unknown_id.ids[2] = static_cast<std::int32_t>(kShape.vocab_size);
  negative_id.ids[2] = -1;
  unknown_type.type_ids[1] = 2;
  ragged.attention_mask.pop_back();
  all_padding.attention_mask.assign(5, 0);

  for (const Encoding& bad : {unknown_id, negative_id, unknown_type, ragged, all_padding}) {
    CHECK(code_of(model, {good, bad}) == ErrorCode::E_INVALID_ARGUMENT);
  }
  CHECK(code_of(model, {random_encoding(kShape, 513)}) == ErrorCode::E_TOO_LONG);
  for (const int layer : {3, -4}) {
    CHECK(code_of(model, {good}, {.attentions = true, .layers = {layer}}) == ErrorCode::E_INVALID_ARGUMENT);
  }
  CHECK(code_of(model, {good}, {.attentions = true, .heads = {3}}) == ErrorCode::E_INVALID_ARGUMENT);
  CHECK(code_of(model, {good}, {.attentions = true, .attention_queries = {5}}) ==
        ErrorCode::E_INVALID_ARGUMENT);
  CHECK(model.forward({&good, 1}).size() == 1);
  CHECK(model.forward({}).empty());
}

}  // namespace
}  // namespace headlight::test
