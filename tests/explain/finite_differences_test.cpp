// The way back through every family and head against differences of the way forward.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <random>

#include "explain/pass.h"
#include "explain/target.h"
#include "support/encoder.h"
#include "support/files.h"
#include "support/golden_report.h"

namespace headlight::test {
namespace {

using explain::Pass;
using explain::Place;

void run(Pass& pass) {
  std::uint64_t spent = 0;
  while (pass.step(~std::uint64_t{0}, spent)) {
  }
}

double logit_at(Pass& pass, Place place, const std::vector<float>& values) {
  pass.begin_forward(place, values.data());
  run(pass);
  return pass.logit();
}

// The slope by differences over steps from large to small, the one that comes closest: curvature and the kinks of ReLU spoil
// large steps, rounding small ones, and which these are differs from case to case.
template <typename Slope>
double closest(double expected, Slope slope_over) {
  double best = INFINITY;
  for (const double h :
       {0.02, 0.01, 0.007, 0.005, 0.003, 0.002, 0.0015, 0.001, 0.0005, 0.0002, 0.0001, 0.00005}) {
    const double slope = slope_over(h);
    if (std::abs(slope - expected) < std::abs(best - expected)) best = slope;
  }
  return best;
}

// The gradient along random directions, against central differences of the fourth order.
void check_gradient(Pass& pass, Place place, const std::string& what) {
  pass.begin_forward(Place::words);
  run(pass);
  const Value at = pass.at(place);
  const std::vector<float> x(at.data, at.data + at.count * at.columns);
  pass.begin_backward(place);
  run(pass);
  const Value gradient = pass.gradient();
  const std::vector<float> g(gradient.data, gradient.data + x.size());
  double squares = 0;
  for (const float value : x) squares += static_cast<double>(value) * value;
  const double size = std::sqrt(squares / static_cast<double>(x.size()));
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int direction = 0; direction < 3; ++direction) {
    std::vector<float> u(x.size());
    double expected = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      u[i] = static_cast<float>(normal(random) * size);
      expected += static_cast<double>(u[i]) * g[i];
    }
    const auto f = [&](double h) {
      std::vector<float> moved(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) moved[i] = x[i] + static_cast<float>(h) * u[i];
      return logit_at(pass, place, moved);
    };
    const double actual =
        closest(expected, [&](double h) { return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h); });
    INFO(what << ", " << (place == Place::words ? "words" : "output") << ": by differences " << actual
              << ", by the way back " << expected);
    CHECK(std::abs(actual - expected) <= 1e-3 * std::max(1.0, std::abs(expected)));
  }
  logit_at(pass, place, x);
}

TEST_CASE("the gradient of a logit agrees with its differences in every family and head") {
  const auto root = whole_golden().value_or(committed_golden());
  std::size_t cases = 0;
  for (const auto& folder : golden_cases(root)) {
    const auto model = load_encoder(folder);
    if (!model->head) continue;
    const GoldenCase golden(folder);
    const Encoding encoding = encoding_of(golden.json["inputs"][1]);
    ExplainTarget target;
    if (explain::is_of_token(*model->head)) target.token = 3;
    for (const bool end : {false, true}) {
      if (end && model->head->kind() != Head::Kind::question_answering) continue;
      target.end = end;
      for (const Place place : {Place::words, Place::output}) {
        Pass pass(*model, encoding, {}, nullptr);
        pass.set_target(target);
        check_gradient(pass, place, golden.name);
      }
    }
    ++cases;
  }
  CHECK(cases >= 20);
}

TEST_CASE("values computed anew on the way back give the same gradient as those that were kept") {
  const auto root = whole_golden().value_or(committed_golden());
  std::size_t cases = 0;
  for (const auto& folder : golden_cases(root)) {
    const auto model = load_encoder(folder);
    if (!model->head) continue;
    const Encoding encoding = encoding_of(GoldenCase(folder).json["inputs"][0]);
    ExplainTarget target;
    if (explain::is_of_token(*model->head)) target.token = 2;
    std::vector<float> gradients[2];
    for (const bool kept : {false, true}) {
      Pass pass(*model, encoding, {}, nullptr, kept ? Pass::kMostKept : 0);
      pass.set_target(target);
      pass.begin_forward(Place::words);
      run(pass);
      pass.begin_backward(Place::words);
      run(pass);
      const Value gradient = pass.gradient();
      gradients[kept].assign(gradient.data, gradient.data + gradient.count * gradient.columns);
    }
    INFO(folder.filename());
    CHECK(gradients[0] == gradients[1]);
    ++cases;
  }
  CHECK(cases >= 20);
}

TEST_CASE("the gradient of a head's mask agrees with the logit's differences") {
  const auto root = whole_golden().value_or(committed_golden());
  std::size_t heads = 0;
  for (const auto& folder : golden_cases(root)) {
    const Model model = Model::load(folder);
    const GoldenCase golden(folder);
    if (model.info().problem_type.empty()) continue;  // not a classifier
    const Encoding encoding = encoding_of(golden.json["inputs"][0]);
    const Explanation all_on = model.explain(encoding, {.method = ExplainMethod::head_importance});
    const auto& shape = all_on.scores.shape;
    for (std::size_t head = 0; head < all_on.scores.data.size(); ++head) {
      // Below 1, so that there is room on both sides. The importance is the mask times its gradient.
      ExplainOptions options{.method = ExplainMethod::head_importance, .target = all_on.target};
      options.head_mask.assign(shape[0], std::vector<float>(shape[1], 1.0f));
      float& mask = options.head_mask[head / shape[1]][head % shape[1]];
      constexpr double kMask = 0.9;
      mask = static_cast<float>(kMask);
      const double expected = model.explain(encoding, options).scores.data[head] / kMask;
      const auto f = [&](double value) {
        mask = static_cast<float>(value);
        const ForwardResult result = model.forward({&encoding, 1}, {.head_mask = options.head_mask})[0];
        return static_cast<double>(result.logits->data[all_on.target_logit]);
      };
      const double actual = closest(expected, [&](double h) {
        return std::abs((8 * (f(kMask + h) - f(kMask - h)) - (f(kMask + 2 * h) - f(kMask - 2 * h))) /
                        (12 * h));
      });
      INFO(golden.name << ", head " << head);
      CHECK(std::abs(actual - expected) <= 1e-3 * std::max(1.0, expected));
      ++heads;
    }
  }
  CHECK(heads >= 20);
}

}  // namespace
}  // namespace headlight::test
