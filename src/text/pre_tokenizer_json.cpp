#include "text/pre_tokenizer_json.h"

#include "text/bert_pre_tokenizer.h"
#include "text/byte_level_pre_tokenizer.h"
#include "text/class_tokens.h"
#include "text/normalizer_json.h"
#include "text/split_pre_tokenizer.h"
#include "text/tokenizer_config.h"
#include "text/utf8.h"

namespace headlight {

namespace {

SplitBehavior read_behavior(const JsonField& field) {
  constexpr std::pair<const char*, SplitBehavior> behaviors[] = {
      {"Removed", SplitBehavior::removed},
      {"Isolated", SplitBehavior::isolated},
      {"MergedWithPrevious", SplitBehavior::merged_with_previous},
      {"MergedWithNext", SplitBehavior::merged_with_next},
      {"Contiguous", SplitBehavior::contiguous}};
  for (const auto& [name, behavior] : behaviors) {
    if (field.text() == name) return behavior;
  }
  field.unsupported("split behavior", field.text());
}

std::unique_ptr<PreTokenizer> read_sequence_pre_tokenizer(const JsonField& field) {
  std::vector<std::unique_ptr<PreTokenizer>> pre_tokenizers;
  for (const JsonField& item : field.at("pretokenizers").items()) {
    pre_tokenizers.push_back(read_pre_tokenizer(item));
  }
  return make_sequence_pre_tokenizer(std::move(pre_tokenizers));
}

std::unique_ptr<PreTokenizer> read_char_delimiter_split(const JsonField& field) {
  const JsonField delimiter = field.at("delimiter");
  const std::u32string text = decode_utf8(delimiter.text());
  if (text.size() != 1) delimiter.refuse("must be one character");
  return make_char_delimiter_split(text[0]);
}

std::unique_ptr<PreTokenizer> read_byte_level(const JsonField& field, bool add_prefix_space) {
  return std::make_unique<ByteLevelPreTokenizer>(ByteLevelPreTokenizer::Options{
      .add_prefix_space = add_prefix_space, .use_regex = field.flag("use_regex", true)});
}

}  // namespace

// Files of before 2023 have add_prefix_space instead of prepend_scheme.
Metaspace read_metaspace(const JsonField& field) {
  Metaspace options;
  const JsonField replacement = field.at("replacement");
  const std::u32string mark = decode_utf8(replacement.text());
  if (mark.size() != 1) replacement.refuse("must be one character");
  options.replacement = mark[0];
  const bool adds = field.flag("add_prefix_space", true);
  if (const auto scheme = field.find("prepend_scheme")) {
    if (scheme->text() == "first") {
      options.prepend = Metaspace::Prepend::first;
    } else if (scheme->text() == "never") {
      options.prepend = Metaspace::Prepend::never;
    } else if (scheme->text() != "always") {
      scheme->refuse("must be \"always\", \"first\" or \"never\"");
    }
    if (!adds && options.prepend != Metaspace::Prepend::never)
      field.refuse("contradicts its add_prefix_space");
  } else if (!adds) {
    options.prepend = Metaspace::Prepend::never;
  }
  options.split = field.flag("split", true);
  return options;
}

std::unique_ptr<PreTokenizer> read_pre_tokenizer(const JsonField& field) {
  const std::string& type = field.at("type").text();
  if (type == "BertPreTokenizer") return std::make_unique<BertPreTokenizer>();
  if (type == "ByteLevel") {
    return read_byte_level(field, field.at("add_prefix_space").boolean());
  }
  if (type == "Metaspace") return std::make_unique<MetaspacePreTokenizer>(read_metaspace(field));
  if (type == "Sequence") return read_sequence_pre_tokenizer(field);
  if (type == "Split") {
    return make_split_pre_tokenizer(read_pattern(field.at("pattern")), read_behavior(field.at("behavior")),
                                    field.flag("invert", false));
  }
  if (type == "Whitespace") return make_whitespace_pre_tokenizer();
  if (type == "WhitespaceSplit") return make_whitespace_split();
  if (type == "Punctuation") {
    const auto behavior = field.find("behavior");
    return make_punctuation_pre_tokenizer(behavior ? read_behavior(*behavior) : SplitBehavior::isolated);
  }
  if (type == "Digits") return make_digits_pre_tokenizer(field.flag("individual_digits", false));
  if (type == "CharDelimiterSplit") return read_char_delimiter_split(field);
  field.unsupported("pre-tokenizer", type);
}

std::unique_ptr<PreTokenizer> read_class_pre_tokenizer(const JsonField& field,
                                                       const TokenizerConfig& config) {
  const bool told = field.at("type").text() == "ByteLevel" && prefixes_as_roberta(config);
  return told ? read_byte_level(field, config.add_prefix_space.value_or(false)) : read_pre_tokenizer(field);
}

}  // namespace headlight
