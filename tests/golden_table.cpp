// Prints a table of golden cases: how far each is from what PyTorch gave.
//
//   headlight_golden [FOLDER]   a folder of cases; without it, the whole set where it is, else what is committed
//
// Exits with 1 where a case differs by more than the tolerance or cannot be loaded.
#include <cstdio>

#include "support/files.h"
#include "support/golden_report.h"

int main(int argc, char** argv) {
  using namespace headlight::test;
  const std::filesystem::path root = argc > 1 ? argv[1] : whole_golden().value_or(committed_golden());
  std::fputs(headings().c_str(), stdout);
  std::size_t cases = 0, agree = 0;
  for (const auto& folder : golden_cases(root)) {
    ++cases;
    try {
      const CaseReport report = report_on(folder);
      agree += report.agrees() ? 1 : 0;
      std::fputs(line(report).c_str(), stdout);
    } catch (const headlight::Error& error) {
      std::printf("%-24s %s\n", folder.filename().c_str(), error.what());
    }
  }
  std::printf("%zu of %zu cases agree\n", agree, cases);
  return agree == cases && cases > 0 ? 0 : 1;
}
