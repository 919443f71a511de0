// JSON documents and the writer against nlohmann's own.
#include <cmath>
#include <random>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

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
    // Read again, for a number has several spellings; dump() tells 1 from 1.0.
    CHECK(json::parse(json_text(parse_json(text, kRules))).dump() == expected.dump());
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
  CHECK(json_text(parse_json("\xEF\xBB\xBF[1]", kRules)) == "[1]");
  try {
    parse_json("{\"a\": tru}", kRules);
    FAIL();
  } catch (const Error& error) {
    CHECK(error.place().offset == 10u);
  }
}

TEST_CASE("members are found by their keys, the last of several") {
  const Json document = parse_json(R"({"b": 1, "a": 2, "b": [3, -4, 0.5]})", kRules);
  REQUIRE(document.items().size() == 2);
  CHECK(document.items()[0].key() == "a");
  const Json* list = document.find("b");
  REQUIRE(list);
  CHECK(list->items()[0].natural() == 3);
  CHECK(list->items()[1].integer() == -4);
  CHECK(list->items()[2].number() == 0.5);
  CHECK(!document.find("c"));
  CHECK(!list->find("a"));
}

TEST_CASE("documents are written without spaces and with the shortest escapes") {
  const std::string text = R"({"a\"\\\n\u0001\u001f/":[0,-1,0.5,1.0,true,null,{},[],"\u00e9"]})";
  CHECK(json_text(parse_json(text, kRules)) == json::parse(text).dump());
}

TEST_CASE("what JSON has no form for is written as what is nearest") {
  const auto written = [](const auto& write) {
    std::string text;
    JsonWriter json(text);
    json.begin_array();
    write(json);
    json.end_array();
    return text;
  };
  CHECK(written([](JsonWriter& json) { json.string("a\xFF"); }) == "[\"a\xEF\xBF\xBD\"]");
  CHECK(written([](JsonWriter& json) { json.number(std::nan("")); }) == "[null]");
}

}  // namespace
}  // namespace headlight::test
