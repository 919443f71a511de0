// A golden case against the engine, as numbers: what a test asserts and what the table prints.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "headlight.h"
#include "support/golden.h"

namespace headlight::test {

struct Agreement {
  double difference = 0;  // the greatest
  double share = 0;       // of what is allowed, the greatest
};

struct CaseReport {
  std::string name;
  std::string architecture;
  std::size_t encodings = 0;                 // compared
  std::vector<std::string> wrong_encodings;  // "input 2: offsets"
  std::map<std::string, Agreement>
      tensors;  // by quantity: "hidden_states", "attentions", "logits", "batch", …

  bool agrees() const;
};

// Folders of `root` with a golden case, in alphabetical order.
std::vector<std::filesystem::path> golden_cases(const std::filesystem::path& root);

// Loads the case's folder and compares every input and the batch.
CaseReport report_on(const std::filesystem::path& folder);

// Compares what the case holds of input i with result, which is of everything(): each quantity's agreement within
// `tolerance`, logits' times max(1, max |logits|). Those that the case leaves out are not looked at.
std::map<std::string, Agreement> agreement_of(const GoldenCase& golden, std::size_t i,
                                              const ForwardResult& result, double tolerance);

// A line a case, after a line of headings.
std::string headings();
std::string line(const CaseReport& report);

}  // namespace headlight::test
