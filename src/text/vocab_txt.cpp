#include "text/vocab_txt.h"
#include "throw_error.h"

#include <algorithm>
#include <iterator>

#include "text/bert_normalizer.h"
#include "text/bert_pre_tokenizer.h"
#include "text/bert_processing.h"
#include "text/class_tokens.h"
#include "text/utf8.h"
#include "text/word_piece.h"
#include "text/word_piece_decoder.h"

namespace headlight {

namespace {

// Classes of transformers that are BertTokenizer by another name; "Fast" may follow.
constexpr std::string_view bert_classes[] = {"",         "Bert",   "DistilBert", "Electra",    "MobileBert",
                                             "ConvBert", "Lxmert", "RetriBert",  "SqueezeBert"};

void check_class(const std::string& name, const File& file) {
  if (std::find(std::begin(bert_classes), std::end(bert_classes), without_suffixes(name)) ==
      std::end(bert_classes))
    refuse_class(name, file);
}

Vocabulary read_vocabulary(const File& file) {
  if (const auto offset = find_invalid_utf8(file.bytes)) {
    throw_error(ErrorCode::E_INVALID_TOKENIZER, "The file is not valid UTF-8",
                {.file = file.name, .offset = offset});
  }
  Vocabulary::Builder builder;
  builder.set_repeated(Vocabulary::Builder::Repeated::last_counts);
  std::string_view rest = file.bytes;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (builder.size() == static_cast<std::size_t>(Vocabulary::id_limit)) {
      throw_error(ErrorCode::E_INVALID_TOKENIZER, {"The file has more than ", Vocabulary::id_limit, " lines"},
                  {.file = file.name});
    }
    builder.add(line, static_cast<std::int32_t>(builder.size()));
  }
  return Vocabulary(std::move(builder), file.name);
}

}  // namespace

TokenizerParts read_vocab_txt(const File& file, const TokenizerConfig& config) {
  check_class(config.tokenizer_class, file);
  const auto spelling = [&config](std::string_view name, std::string usual) {
    const AddedToken* token = config.find(name);
    return token != nullptr ? token->content : usual;
  };
  TokenizerParts parts;
  parts.model = std::make_unique<WordPiece>(
      read_vocabulary(file), WordPiece::Options{.unk_token = spelling("unk_token", "[UNK]")}, file.name);
  const Vocabulary& vocabulary = parts.model->vocabulary();

  BertNormalizerOptions options;
  options.handle_chinese_chars = config.tokenize_chinese_chars.value_or(true);
  options.lowercase = config.do_lower_case.value_or(true);
  options.strip_accents = config.strip_accents.value_or(options.lowercase);
  parts.normalizer = std::make_unique<BertNormalizer>(options);
  parts.pre_tokenizer = std::make_unique<BertPreTokenizer>();
  parts.decoder = std::make_unique<WordPieceDecoder>("##", true);

  const auto special = [&](std::string_view name, std::string usual) {
    const std::string token = spelling(name, std::move(usual));
    return SpecialToken{token, vocabulary.required(token, name, file.name)};
  };
  parts.post_processor =
      std::make_unique<BertProcessing>(special("cls_token", "[CLS]"), special("sep_token", "[SEP]"));

  constexpr std::pair<std::string_view, std::string_view> bert_tokens[] = {{"unk_token", "[UNK]"},
                                                                           {"sep_token", "[SEP]"},
                                                                           {"pad_token", "[PAD]"},
                                                                           {"cls_token", "[CLS]"},
                                                                           {"mask_token", "[MASK]"}};
  for (const auto& [name, usual] : bert_tokens) {
    if (config.find(name) == nullptr && vocabulary.find(usual)) {
      parts.added_tokens.push_back({.content = std::string(usual), .special = true});
    }
  }
  return parts;
}

}  // namespace headlight
