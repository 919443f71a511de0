#include "support/explain_report.h"

#include "support/closeness.h"

namespace headlight::test {
namespace {

constexpr double kTolerance = 1e-3;

}  // namespace

std::map<std::string, Agreement> explain_agreement(const GoldenCase& golden, const Model& model,
                                                   std::size_t i) {
  std::map<std::string, Agreement> agreements;
  const nlohmann::json& input = golden.json["inputs"][i];
  if (!input.contains("explain_target") || input["explain_target"].is_null()) return agreements;
  Encoding encoding = encoding_of(input);
  encoding.special_tokens_mask = input["special_tokens_mask"].get<std::vector<std::int32_t>>();
  const std::size_t label = input["explain_target"];
  const auto explain = [&](ExplainMethod method, Baseline baseline = Baseline::zero) {
    return model.explain(encoding, {.method = method,
                                    .target = {.label = label},
                                    .baseline = baseline,
                                    .details = true,
                                    .attention_gradients = method == ExplainMethod::gradient_input});
  };
  const auto compare = [&](const char* name, const Tensor& actual, std::initializer_list<std::size_t> axes) {
    const auto found = golden.tensors.find(std::to_string(i) + "." + name);
    if (found == golden.tensors.end()) return;
    const Tensor expected =
        without_padding(found->second, encoding.attention_mask, std::vector<std::size_t>(axes));
    const double allowed = kTolerance * scale_of(expected.data);
    const double difference = actual.shape == expected.shape ? greatest_difference(actual.data, expected.data)
                                                             : greatest_difference({}, expected.data);
    agreements[name] = {.difference = difference, .share = difference / allowed};
  };
  const Explanation gradient = explain(ExplainMethod::gradient_input);
  compare("grad_embedding_output", gradient.details.front(), {0});
  compare("grad_attentions", kept_layers(golden, "attentions_kept", stacked(gradient.attention_gradients)),
          {2, 3});
  compare("chefer_relevance", explain(ExplainMethod::relevance).details.front(), {0, 1});
  compare("attention_rollout", explain(ExplainMethod::rollout).details.front(), {0, 1});
  compare("ig_out_zero", explain(ExplainMethod::integrated_gradients).details.front(), {0});
  compare("ig_word_pad", explain(ExplainMethod::integrated_gradients, Baseline::padding).details.front(),
          {0});
  return agreements;
}

}  // namespace headlight::test
