// Headlight's reader and writer of JSON against nlohmann's, and its decimal numbers against the C library's.
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "decimal.h"
#include "headlight.h"
#include "json_document.h"
#include "json_text.h"

namespace headlight::test {
namespace {

using nlohmann::json;

const JsonRules kRules{.code = ErrorCode::E_INVALID_CONFIG, .file = "config.json"};

std::string code_of(std::string_view text) {
  try {
    parse_json(text, kRules);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

std::string random_document(std::mt19937& random, int depth = 0) {
  const auto below = [&](unsigned n) { return random() % n; };
  const std::string space = below(4) == 0 ? " \n" : "";
  const auto string = [&] {
    static const char* const parts[] = {
        "a",    "\\n",     "\\\"",           "\\/",  "\\u00e9", "\xC3\xA9",
        "\x7F", "\\u0000", "\\uD83D\\uDE00", "\\\\", "{[,:",    "\xF0\x9F\x98\x80"};
    std::string text = "\"";
    for (unsigned i = below(4); i > 0; --i) text += parts[below(std::size(parts))];
    return text + "\"";
  };
  switch (below(depth < 5 ? 8 : 5)) {
    case 0:
      return "null";
    case 1:
      return below(2) ? "true" : "false";
    case 2:
      return string();
    case 3: {
      static const char* const numbers[] = {"0",
                                            "-0",
                                            "12",
                                            "-7",
                                            "18446744073709551615",
                                            "18446744073709551616",
                                            "-9223372036854775808",
                                            "-9223372036854775809",
                                            "0.0",
                                            "-1.5e-3"};
      return numbers[below(std::size(numbers))];
    }
    case 4:
      return std::to_string(below(1000000)) + "." + std::to_string(below(1000000)) + "E+" +
             std::to_string(below(9));
    case 5:
    case 6: {
      std::string text = "{" + space;
      for (unsigned i = below(4); i > 0; --i) {
        text +=
            string() + space + ":" + space + random_document(random, depth + 1) + (i > 1 ? "," + space : "");
      }
      return text + space + "}";
    }
    default: {
      std::string text = "[" + space;
      for (unsigned i = below(4); i > 0; --i) text += random_document(random, depth + 1) + (i > 1 ? "," : "");
      return text + space + "]";
    }
  }
}

TEST_CASE("documents are read and written as nlohmann's JSON reads and writes them") {
  std::mt19937 random(7);
  std::size_t valid = 0, invalid = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = random_document(random);
    for (unsigned changes = random() % 3; changes > 0; --changes) {
      constexpr std::string_view letters = "{}[],:\"\\u0e.-+19tn \xC3\x80\x1F";
      text[random() % text.size()] = letters[random() % letters.size()];
    }
    INFO(text);
    const json expected = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (expected.is_discarded()) {
      CHECK(code_of(text).starts_with("The file is "));
      ++invalid;
      continue;
    }
    const json found = parse_json(text, kRules);
    CHECK(found == expected);
    CHECK(json_text(found) == expected.dump());
    ++valid;
  }
  CHECK(valid > 5000);
  CHECK(invalid > 5000);
}

TEST_CASE("what is no JSON is told by its place") {
  CHECK(code_of("") == "The file is empty");
  CHECK(code_of(" \n") == "The file is empty");
  CHECK(code_of(" <html>") == "The file is a web page, not JSON");
  CHECK(code_of("{} {}") == "The file is not valid JSON");
  CHECK(code_of("\"\\uDC00\"") == "The file is not valid JSON");
  CHECK(code_of("\"\\uD800x\"") == "The file is not valid JSON");
  CHECK(code_of("1e999") == "The file is not valid JSON");
  CHECK(code_of(std::string(64, '[') + std::string(64, ']')).empty());
  CHECK(code_of(std::string(100000, '[')) == "The file is nested more than 64 levels deep");
  CHECK(parse_json("\xEF\xBB\xBF[1]", kRules) == json::array({1}));
  try {
    parse_json("{\"a\": tru}", kRules);
    FAIL();
  } catch (const Error& error) {
    CHECK(error.place().offset == 9);
  }
}

TEST_CASE("text that is not UTF-8 is written with U+FFFD") {
  CHECK(json_text(json("a\xFF")) == "\"a\xEF\xBF\xBD\"");
  CHECK(json_text(json(std::nan(""))) == "null");
}

void check_decimal(const std::string& text) {
  const double found = parse_decimal(text), expected = std::strtod(text.c_str(), nullptr);
  if (found != expected || std::signbit(found) != std::signbit(expected)) {
    FAIL_CHECK(text << " is " << expected << ", not " << found);
  }
}

TEST_CASE("decimal numbers are the nearest doubles") {
  for (const char* text : {"0",
                           "-0",
                           "0.000",
                           "0e999999999999999999999",
                           "1",
                           "9007199254740993",
                           "9007199254740992.99999999999999999999",
                           "9007199254740993.00000000000000000000001",
                           "2.2250738585072011e-308",
                           "2.2250738585072014e-308",
                           "4.9e-324",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "1e-400",
                           "1e400",
                           "1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "1.797693134862315807e308",
                           "1.7976931348623159e308",
                           "1e22",
                           "1e23",
                           "123e-22",
                           "1E-99999999999999999999",
                           "1E+99999999999999999999",
                           "0.1",
                           "8.5e-45",
                           "6.02214076e23"}) {
    check_decimal(text);
  }
  check_decimal("0." + std::string(5000, '0') + "1e5000");
  check_decimal("1" + std::string(5000, '0') + "e-5000");
  check_decimal(std::string(2000, '9'));
  check_decimal("0." + std::string(1000, '9'));

  std::mt19937_64 random(11);
  for (int i = 0; i < 100000; ++i) {
    std::string text =
        std::to_string(random() >> random() % 64) + "." + std::to_string(random() >> random() % 64);
    text += "e" + std::to_string(static_cast<int>(random() % 660) - 340);
    check_decimal(text);
  }
  // Halfway between two doubles, and a trace to either side.
  for (int i = 0; i < 2000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 2046) - 1074 - 52);
    if (value == 0 || !std::isfinite(value)) continue;
    char text[1200];
    const long double half =
        (static_cast<long double>(value) + std::nextafter(value, std::numeric_limits<double>::infinity())) /
        2;
    std::snprintf(text, sizeof text, "%.1100Lf", half);
    check_decimal(text);
    check_decimal(std::string(text) + "1");
    std::snprintf(text, sizeof text, "%.17g", value);
    check_decimal(text);
  }
}

}  // namespace
}  // namespace headlight::test
