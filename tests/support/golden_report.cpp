#include "support/golden_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "support/closeness.h"
#include "support/explain_report.h"
#include "support/files.h"

namespace headlight::test {
namespace {

constexpr double kTolerance = 1e-4;

std::vector<std::int32_t> ints(const nlohmann::json& values) {
  std::vector<std::int32_t> result;
  for (const auto& value : values) result.push_back(value.is_null() ? -1 : value.get<std::int32_t>());
  return result;
}

std::vector<std::int32_t> ints(const std::vector<float>& values) { return {values.begin(), values.end()}; }

std::vector<Span> spans(const nlohmann::json& values) {
  std::vector<Span> result;
  for (const auto& value : values) result.push_back({value[0], value[1]});
  return result;
}

// all[i]
Tensor entry(const Tensor& all, std::size_t i) {
  const std::size_t size = all.data.size() / all.shape[0];
  const auto begin = all.data.begin() + static_cast<std::ptrdiff_t>(i * size);
  return {{begin, begin + static_cast<std::ptrdiff_t>(size)}, {all.shape.begin() + 1, all.shape.end()}};
}

// [rows, all] -> [rows, kept]
Tensor first_columns(const Tensor& tensor, std::size_t kept) {
  Tensor result{{}, {tensor.shape[0], kept}};
  for (std::size_t row = 0; row < tensor.shape[0]; ++row) {
    const auto begin = tensor.data.begin() + static_cast<std::ptrdiff_t>(row * tensor.shape[1]);
    result.data.insert(result.data.end(), begin, begin + static_cast<std::ptrdiff_t>(kept));
  }
  return result;
}

class Comparison {
 public:
  Comparison(const GoldenCase& golden, CaseReport& report, double tolerance = kTolerance)
      : golden_(golden), report_(report), tolerance_(tolerance) {}

  double tolerance() const { return tolerance_; }

  const Tensor* expected(const std::string& name) const {
    const auto found = golden_.tensors.find(name);
    return found == golden_.tensors.end() ? nullptr : &found->second;
  }

  void compare(const std::string& quantity, const Tensor* actual, const Tensor& expected, double allowed) {
    const bool comparable = actual && actual->shape == expected.shape;
    const double difference = comparable ? greatest_difference(actual->data, expected.data)
                                         : std::numeric_limits<double>::infinity();
    Agreement& agreement = report_.tensors[quantity];
    agreement.difference = std::max(agreement.difference, difference);
    agreement.share = std::max(agreement.share, difference / allowed);
  }

 private:
  const GoldenCase& golden_;
  CaseReport& report_;
  double tolerance_;
};

const Tensor* pointer(const std::optional<Tensor>& tensor) { return tensor ? &*tensor : nullptr; }

// The compact form of a window's attention as Hugging Face's Longformer gives it: [H, n, columns], the global tokens'
// columns first, then the band from -reach on; a global token's own row is 0.
Tensor as_longformer_local(const CompactAttention& compact, std::size_t heads,
                           const std::vector<std::size_t>& globals, std::size_t reach, std::size_t columns) {
  const std::size_t n = compact.first_range.size() - 1;
  Tensor local{std::vector<float>(heads * n * columns), {heads, n, columns}};
  for (std::size_t head = 0; head < heads; ++head) {
    const Tensor full = compact.expand(head);
    for (std::size_t i = 0; i < compact.first_range.size() - 1; ++i) {
      if (std::find(globals.begin(), globals.end(), i) != globals.end()) continue;
      float* row = local.data.data() + (head * n + i) * columns;
      for (std::size_t r = compact.first_range[i]; r < compact.first_range[i + 1]; ++r) {
        for (std::size_t j = compact.ranges[r].start; j < compact.ranges[r].end; ++j) {
          const auto global = std::find(globals.begin(), globals.end(), j);
          const float weight = full.data[i * full.shape[1] + j];
          if (global != globals.end()) {
            row[global - globals.begin()] = weight;
          } else {
            row[globals.size() + reach + j - i] = weight;
          }
        }
      }
    }
  }
  return local;
}

void compare_encoding(const Encoding& encoding, const nlohmann::json& expected, const std::string& where,
                      CaseReport& report) {
  ++report.encodings;
  const auto same = [&](const char* what, bool equal) {
    if (!equal) report.wrong_encodings.push_back(where + ": " + what);
  };
  same("ids", encoding.ids == ints(expected["input_ids"]));
  same("tokens", encoding.tokens == expected["tokens"].get<std::vector<std::string>>());
  if (!expected["token_type_ids"].is_null())
    same("type ids", encoding.type_ids == ints(expected["token_type_ids"]));
  same("attention mask", encoding.attention_mask == ints(expected["attention_mask"]));
  same("offsets", encoding.offsets == spans(expected["offsets_utf16"]));
  same("code point offsets", encoding.code_point_offsets == spans(expected["offsets"]));
  same("word ids", encoding.word_ids == ints(expected["word_ids"]));
  same("sequence ids", encoding.sequence_ids == ints(expected["sequence_ids"]));
  same("special tokens mask", encoding.special_tokens_mask == ints(expected["special_tokens_mask"]));
}

void compare_result(const GoldenCase& golden, std::size_t i, const ForwardResult& result,
                    Comparison& comparison) {
  const std::string prefix = std::to_string(i) + ".";
  const auto& mask = encoding_of(golden.json["inputs"][i]).attention_mask;
  const auto compare = [&](const std::string& name, const Tensor* actual,
                           std::vector<std::size_t> padded_axes, double scale = 1,
                           std::string golden_name = "") {
    const Tensor* expected = comparison.expected(prefix + (golden_name.empty() ? name : golden_name));
    if (expected)
      comparison.compare(name, actual, without_padding(*expected, mask, padded_axes),
                         comparison.tolerance() * scale);
  };
  const auto scale = [](const std::optional<Tensor>& tensor) { return tensor ? scale_of(tensor->data) : 1; };
  compare("last_hidden_state", pointer(result.last_hidden_state), {0});
  const Tensor hidden_states = kept_layers(golden, "hidden_states_kept", *result.hidden_states);
  compare("hidden_states", &hidden_states, {1});
  const Tensor attentions = kept_layers(golden, "attentions_kept", stacked(result.attentions));
  const bool effective = comparison.expected(prefix + "attentions_effective") != nullptr;
  compare("attentions", &attentions, {2, 3}, 1, effective ? "attentions_effective" : "attentions");
  compare("pooler_output", pointer(result.pooler_output), {});
  compare("start_logits", pointer(result.start_logits), {0}, scale(result.start_logits));
  compare("end_logits", pointer(result.end_logits), {0}, scale(result.end_logits));
  const bool per_token = golden.json["task"] == "disc" || (result.logits && result.logits->shape.size() == 2);
  compare("logits", pointer(result.logits),
          per_token ? std::vector<std::size_t>{0} : std::vector<std::size_t>{}, scale(result.logits));
  if (const Tensor* local = comparison.expected(prefix + "longformer_local")) {
    std::vector<std::size_t> globals;
    const Tensor& global_mask = *comparison.expected(prefix + "global_attention_mask");
    for (std::size_t t = 0; t < global_mask.data.size(); ++t) {
      if (global_mask.data[t] != 0) globals.push_back(t);
    }
    for (std::size_t l = 0; l < result.compact_attentions.size(); ++l) {
      const CompactAttention& compact = result.compact_attentions[l];
      constexpr std::size_t kQueries[] = {1};
      const Tensor expected = without_padding(entry(*local, l), mask, kQueries);
      const std::size_t window = golden.config["attention_window"][l];
      const Tensor actual =
          as_longformer_local(compact, compact.weights.shape[0], globals, window / 2, expected.shape[2]);
      comparison.compare("compact", &actual, expected, comparison.tolerance());
    }
  }
}

// The case's batch through one call.
void compare_batch(const GoldenCase& golden, const Model& model, CaseReport& report, Comparison& comparison) {
  constexpr std::size_t kTokens[] = {0};  // the axis
  const nlohmann::json& batch = golden.json["batch"];
  const std::size_t max_length = batch["options"]["max_length"];
  std::vector<Encoding> encodings;
  for (const auto& texts : batch["texts"]) {
    const std::size_t i = encodings.size();
    const Input input = input_of({{"text", texts[0]}, {"text_pair", texts[1]}});
    Encoding encoding =
        model.tokenizer().encode(input, {.max_length = max_length, .truncation = Truncation::longest_first});
    const auto mask = ints(entry(golden.tensors.at("batch.attention_mask"), i).data);
    const auto ids = ints(entry(golden.tensors.at("batch.input_ids"), i).data);
    ++report.encodings;
    std::vector<std::int32_t> unpadded;
    for (std::size_t t = 0; t < ids.size(); ++t) {
      if (mask[t] != 0) unpadded.push_back(ids[t]);
    }
    if (encoding.ids != unpadded)
      report.wrong_encodings.push_back("batch, text " + std::to_string(i) + ": ids");
    encoding.ids = ids;
    encoding.attention_mask = mask;
    encoding.type_ids.resize(ids.size());
    encodings.push_back(std::move(encoding));
  }
  const std::vector<ForwardResult> results = model.forward(encodings, everything());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto compare = [&](const std::string& name, const std::optional<Tensor>& result) {
      const Tensor* all = comparison.expected("batch." + name);
      if (!all) return;
      const auto& mask = encodings[i].attention_mask;
      Tensor expected = entry(*all, i);
      if (expected.shape[0] == mask.size()) expected = without_padding(expected, mask, kTokens);
      if (!result) return comparison.compare("batch", nullptr, expected, 1);
      const bool narrowed = name == "logits" && golden.json["task"] == "mlm";
      const Tensor actual = narrowed ? first_columns(*result, expected.shape[1]) : *result;
      comparison.compare("batch", &actual, expected, kTolerance * scale_of(result->data));
    };
    compare("logits", results[i].logits);
    compare("start_logits", results[i].start_logits);
    compare("end_logits", results[i].end_logits);
    compare("last_hidden_state", results[i].last_hidden_state);
  }
}

}  // namespace

bool CaseReport::agrees() const {
  return encodings > 0 && wrong_encodings.empty() && !tensors.empty() &&
         std::all_of(tensors.begin(), tensors.end(),
                     [](const auto& entry) { return entry.second.share <= 1; });
}

std::map<std::string, Agreement> agreement_of(const GoldenCase& golden, std::size_t i,
                                              const ForwardResult& result, double tolerance) {
  CaseReport report;
  Comparison comparison(golden, report, tolerance);
  compare_result(golden, i, result, comparison);
  return report.tensors;
}

std::vector<std::filesystem::path> golden_cases(const std::filesystem::path& root) {
  std::vector<std::filesystem::path> cases;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (std::filesystem::exists(entry.path() / "golden.json")) cases.push_back(entry.path());
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

CaseReport report_on(const std::filesystem::path& folder) {
  const GoldenCase golden(folder);
  const Model model = Model::load(folder);
  CaseReport report;
  report.name = golden.name;
  report.architecture = model.info().architecture;
  Comparison comparison(golden, report);
  for (std::size_t i = 0; i < golden.json["inputs"].size(); ++i) {
    const nlohmann::json& input = golden.json["inputs"][i];
    compare_encoding(model.tokenizer().encode(input_of(input), tokenize_options_of(input)), input,
                     "input " + std::to_string(i), report);
    ForwardOptions options = everything();
    options.compact_attentions = comparison.expected(std::to_string(i) + ".longformer_local") != nullptr;
    if (const Tensor* tasks = comparison.expected(std::to_string(i) + ".task_type_ids")) {
      options.task_type_id = static_cast<std::size_t>(tasks->data[0]);
    }
    const Encoding encoding = encoding_of(input);
    compare_result(golden, i, model.forward({&encoding, 1}, options).at(0), comparison);
    for (const auto& [name, agreement] : explain_agreement(golden, model, i)) {
      Agreement& greatest = report.tensors[name];
      greatest.difference = std::max(greatest.difference, agreement.difference);
      greatest.share = std::max(greatest.share, agreement.share);
    }
  }
  compare_batch(golden, model, report, comparison);
  return report;
}

std::string headings() {
  char text[240];
  std::snprintf(text, sizeof text, "%-24s %-34s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s  %s\n", "case",
                "architecture", "encodings", "hidden", "attention", "pooler", "logits", "batch", "gradients",
                "integrated", "relevance", "rollout", "of the tolerance");
  return text;
}

std::string line(const CaseReport& report) {
  std::string text;
  char part[96];
  std::snprintf(part, sizeof part, "%-24s %-34s ", report.name.c_str(), report.architecture.c_str());
  text += part;
  std::snprintf(part, sizeof part, "%5zu/%-3zu ",
                report.encodings - std::min(report.encodings, report.wrong_encodings.size()),
                report.encodings);
  text += part;
  const auto greatest = [&](std::initializer_list<const char*> names) {
    double difference = -1;
    for (const char* name : names) {
      const auto found = report.tensors.find(name);
      if (found != report.tensors.end()) difference = std::max(difference, found->second.difference);
    }
    if (difference < 0) {
      text += "        - ";
    } else {
      std::snprintf(part, sizeof part, "%9.1e ", difference);
      text += part;
    }
  };
  greatest({"last_hidden_state", "hidden_states"});
  greatest({"attentions", "compact"});
  greatest({"pooler_output"});
  greatest({"logits", "start_logits", "end_logits"});
  greatest({"batch"});
  greatest({"grad_embedding_output", "grad_attentions"});
  greatest({"ig_out_zero", "ig_word_pad"});
  greatest({"chefer_relevance"});
  greatest({"attention_rollout"});
  double share = 0;
  for (const auto& [name, agreement] : report.tensors) share = std::max(share, agreement.share);
  std::snprintf(part, sizeof part, " %5.1f %%%s\n", 100 * share, report.agrees() ? "" : "  DIFFERS");
  text += part;
  for (const std::string& wrong : report.wrong_encodings) text += "    " + wrong + "\n";
  return text;
}

}  // namespace headlight::test
