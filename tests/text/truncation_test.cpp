#include "text/truncation.h"

#include <limits>

#include "text/text_support.h"

namespace headlight {

static bool operator==(const Window& a, const Window& b) { return a.begin == b.begin && a.end == b.end; }

}  // namespace headlight

namespace headlight::test {
namespace {

// What the sentence "take one token from the longer text until both fit" comes to, token by token. Where both
// are as long, the library's arithmetic takes from the first text, unless that one was the longer to begin
// with.
Kept longest_first_by_steps(std::size_t text, std::size_t text_pair, std::size_t room) {
  const bool first_is_longer = text > text_pair;
  while (text + text_pair > room) {
    if (text > text_pair || (text == text_pair && !first_is_longer)) {
      --text;
    } else {
      --text_pair;
    }
  }
  return {text, text_pair};
}

TEST_CASE("longest_first takes from the longer text") {
  std::size_t different = 0;
  for (std::size_t text = 0; text < 12; ++text) {
    for (std::size_t text_pair = 0; text_pair < 12; ++text_pair) {
      for (std::size_t room = 0; room < 26; ++room) {
        const Kept kept = truncate(text, text_pair, room, Truncation::longest_first);
        const Kept expected = longest_first_by_steps(text, text_pair, room);
        different += kept.text != expected.text || kept.text_pair != expected.text_pair;
      }
    }
  }
  CHECK(different == 0);
  CHECK(truncate(7, std::nullopt, 5, Truncation::longest_first).text == 5);
}

TEST_CASE("only_first and only_second spare the other text") {
  CHECK(truncate(7, 4, 9, Truncation::only_first).text == 5);
  CHECK(truncate(7, 4, 9, Truncation::only_second).text_pair == 2);
  CHECK(truncate(7, 4, 9, Truncation::none).text == 7);
  CHECK(thrown_code([] { truncate(7, 4, 4, Truncation::only_first); }) == "E_INVALID_ARGUMENT");
  CHECK(thrown_code([] { truncate(7, 4, 7, Truncation::only_second); }) == "E_INVALID_ARGUMENT");
}

TEST_CASE("windows cover the text and overlap by the stride") {
  CHECK(windows(5, 5, 2, Side::right) == std::vector<Window>{{0, 5}});
  CHECK(windows(0, 0, 0, Side::right) == std::vector<Window>{{0, 0}});
  CHECK(windows(7, 3, 0, Side::right) == std::vector<Window>{{0, 3}, {3, 6}, {6, 7}});
  CHECK(windows(7, 3, 1, Side::right) == std::vector<Window>{{0, 3}, {2, 5}, {4, 7}});
  CHECK(windows(7, 3, 1, Side::left) == std::vector<Window>{{4, 7}, {2, 5}, {0, 3}});
  CHECK(windows(7, 0, 0, Side::right) == std::vector<Window>{{0, 0}, {0, 7}});
  CHECK(thrown_code([] { windows(7, 3, 3, Side::right); }) == "E_INVALID_ARGUMENT");
}

}  // namespace
}  // namespace headlight::test
