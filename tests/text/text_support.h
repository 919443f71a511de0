// What the tests of src/text share.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "headlight.h"
#include "support/files.h"

namespace headlight::test {

using nlohmann::json;

inline std::filesystem::path text_data() { return std::filesystem::path(HEADLIGHT_TEST_DATA) / "text"; }

// The tokenizer of a model folder.
inline Tokenizer load_tokenizer(const std::filesystem::path& folder) {
  std::vector<File> files;
  for (const char* name : {"tokenizer.json", "vocab.txt", "vocab.json", "merges.txt", "spiece.model",
                           "spm.model", "sentencepiece.bpe.model", "added_tokens.json",
                           "tokenizer_config.json", "special_tokens_map.json", "config.json"}) {
    if (std::filesystem::exists(folder / name)) files.push_back({name, read_file(folder / name)});
  }
  return Tokenizer::from_files(files);
}

// The code of the Error that a call throws; "none" where it throws nothing.
template <typename Call>
std::string thrown_code(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return std::string(error.code_name());
  }
  return "none";
}

// tests/data/text/cases.json or a file like it: tokenizers, of which those without a vocabulary share one.
struct TextCases {
  explicit TextCases(const std::filesystem::path& path) : content(json::parse(read_file(path))) {
    for (std::size_t id = 0; id < content["vocab"].size(); ++id) vocab[content["vocab"][id]] = id;
    for (const auto& [name, definition] : content["tokenizers"].items()) {
      tokenizers.emplace(name, Tokenizer::from_files(files(name)));
    }
  }

  std::vector<File> files(const std::string& name) const {
    const json& definition = content["tokenizers"][name];
    json document = definition["json"];
    if (!document["model"].contains("vocab")) document["model"]["vocab"] = vocab;
    const json config = {{"padding_side", definition["side"]}, {"truncation_side", definition["side"]}};
    return {{"tokenizer.json", document.dump()}, {"tokenizer_config.json", config.dump()}};
  }

  json content;
  json vocab = json::object();
  std::map<std::string, Tokenizer> tokenizers;
};

// Turns spans of code points into spans of UTF-16 units.
inline json to_utf16(const std::string& text, const json& spans) {
  std::vector<std::uint32_t> offsets = {0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) offsets.push_back(offsets.back() + (byte >= 0xF0 ? 2 : 1));
  }
  json result = json::array();
  for (const json& span : spans) {
    result.push_back({offsets.at(span[0].get<std::size_t>()), offsets.at(span[1].get<std::size_t>())});
  }
  return result;
}

inline json spans_of(const std::vector<Span>& spans) {
  json result = json::array();
  for (const Span& span : spans) result.push_back({span.start, span.end});
  return result;
}

// -1 as Python's None.
inline json optional_of(const std::vector<std::int32_t>& values) {
  json result = json::array();
  for (const std::int32_t value : values) result.push_back(value < 0 ? json() : json(value));
  return result;
}

// The lists of an encoding under Hugging Face's names; offsets are code points.
inline json columns(const Encoding& encoding) {
  return {{"ids", encoding.ids},
          {"tokens", encoding.tokens},
          {"type_ids", encoding.type_ids},
          {"offsets", spans_of(encoding.code_point_offsets)},
          {"offsets_utf16", spans_of(encoding.offsets)},
          {"word_ids", optional_of(encoding.word_ids)},
          {"sequence_ids", optional_of(encoding.sequence_ids)},
          {"special_tokens_mask", encoding.special_tokens_mask},
          {"attention_mask", encoding.attention_mask}};
}

// What of `expected`, which may lack lists, the encoding does not agree with; empty when all agrees.
inline std::string difference(const Encoding& encoding, const json& expected) {
  const json actual = columns(encoding);
  for (const auto& [name, values] : actual.items()) {
    if (expected.contains(name) && expected[name] != values) {
      return name + ": expected " + expected[name].dump() + ", got " + values.dump();
    }
  }
  return {};
}

}  // namespace headlight::test
