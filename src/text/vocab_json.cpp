#include "text/vocab_json.h"
#include "throw_error.h"

#include <algorithm>

#include "text/byte_level_decoder.h"
#include "text/byte_level_pre_tokenizer.h"
#include "text/byte_level_processing.h"
#include "text/byte_pair_encoding.h"
#include "text/class_tokens.h"
#include "text/json_file.h"
#include "text/roberta_processing.h"
#include "text/utf8.h"

namespace headlight {

namespace {

MergeList read_merges(const File& file) {
  if (const auto offset = find_invalid_utf8(file.bytes)) {
    throw_error(ErrorCode::E_INVALID_TOKENIZER, "The file is not valid UTF-8",
                {.file = file.name, .offset = offset});
  }
  MergeList merges;
  std::string_view rest = file.bytes;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || (number == 1 && line.starts_with("#version"))) continue;
    if (!merges.add_line(line)) {
      throw_error(ErrorCode::E_INVALID_TOKENIZER,
                  {"Line ", number, " is not two tokens with a space between"}, {.file = file.name});
    }
  }
  return merges;
}

}  // namespace

TokenizerParts read_vocab_json(const File& vocab, const File& merges, const TokenizerConfig& config) {
  const std::string kind = tokenizer_kind(config);
  const bool roberta = kind.empty() || kind == "Roberta" || kind == "Longformer";
  if (!roberta && kind != "GPT2") {
    refuse_class({kind, "Tokenizer"}, vocab);
  }
  TokenizerParts parts;
  parts.model =
      std::make_unique<BytePairEncoding>(Vocabulary(read_vocabulary(vocab), vocab.name), read_merges(merges),
                                         BytePairEncoding::Options{}, vocab.name);
  const bool add_prefix_space = config.add_prefix_space.value_or(false);
  parts.pre_tokenizer = std::make_unique<ByteLevelPreTokenizer>(
      ByteLevelPreTokenizer::Options{.add_prefix_space = add_prefix_space, .use_regex = true});
  parts.decoder = std::make_unique<ByteLevelDecoder>();
  if (!roberta) {
    parts.post_processor = std::make_unique<ByteLevelProcessing>(
        ByteLevelProcessing::Options{.add_prefix_space = true, .trim_offsets = false});
    parts.added_tokens = special_tokens(gpt2_tokens, config);
    return parts;
  }

  const auto special = [&](std::string_view name, std::string_view usual) {
    const std::string token = special_spelling(config, name, usual);
    return SpecialToken{token, parts.model->vocabulary().required(token, name, vocab.name)};
  };
  parts.post_processor = std::make_unique<RobertaProcessing>(
      special("cls_token", roberta_tokens.cls), special("sep_token", roberta_tokens.sep),
      RobertaProcessing::Options{.trim_offsets = config.trim_offsets.value_or(true),
                                 .add_prefix_space = add_prefix_space});
  parts.added_tokens = config.added_tokens;
  const std::vector<AddedToken> tokens = special_tokens(roberta_tokens, config);
  parts.added_tokens.insert(parts.added_tokens.end(), tokens.begin(), tokens.end());
  return parts;
}

}  // namespace headlight
