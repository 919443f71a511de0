#include "text/tokenizer_json.h"

#include "json_text.h"

#include <limits>

#include "text/bert_processing.h"
#include "text/byte_fallback_decoder.h"
#include "text/byte_level_decoder.h"
#include "text/byte_level_processing.h"
#include "text/byte_pair_encoding.h"
#include "text/class_tokens.h"
#include "text/decoders.h"
#include "text/json_file.h"
#include "text/metaspace.h"
#include "text/normalizer_json.h"
#include "text/pre_tokenizer_json.h"
#include "text/roberta_processing.h"
#include "text/sequence_processing.h"
#include "text/template_processing.h"
#include "text/tokenizer_config.h"
#include "text/unigram.h"
#include "text/utf8.h"
#include "text/word_level.h"
#include "text/word_piece.h"
#include "text/word_piece_decoder.h"

namespace headlight {

namespace {

constexpr std::int32_t any = std::numeric_limits<std::int32_t>::max();

// Files of before 2021 do not name the type.
std::string model_type(const JsonField& field, const ModelLists& lists) {
  if (const auto type = field.find("type")) return type->text();
  if (lists.merges) return "BPE";
  if (lists.scores) return "Unigram";
  return field.find("max_input_chars_per_word") ? "WordPiece" : "without a type";
}

std::string text_or_empty(const JsonField& field, std::string_view key) {
  const auto value = field.find(key);
  return value ? value->text() : std::string();
}

std::unique_ptr<TokenModel> read_byte_pair_encoding(const JsonField& field, ModelLists lists,
                                                    const std::string& file) {
  if (!lists.merges) field.refuse("lacks \"merges\", a list of pairs of tokens");
  if (const auto dropout = field.find("dropout");
      dropout && !(dropout->value().is_number() && dropout->value().number() == 0)) {
    dropout->unsupported("dropout of merges", json_text(dropout->value()));
  }
  BytePairEncoding::Options options;
  if (const auto unk_token = field.find("unk_token")) options.unk_token = unk_token->text();
  options.continuing_subword_prefix = text_or_empty(field, "continuing_subword_prefix");
  options.end_of_word_suffix = text_or_empty(field, "end_of_word_suffix");
  options.fuse_unk = field.flag("fuse_unk", false);
  options.byte_fallback = field.flag("byte_fallback", false);
  options.ignore_merges = field.flag("ignore_merges", false);
  return std::make_unique<BytePairEncoding>(Vocabulary(*std::move(lists.vocabulary), file), *lists.merges,
                                            std::move(options), file);
}

std::unique_ptr<TokenModel> read_unigram(const JsonField& field, ModelLists lists, const std::string& file) {
  Unigram::Options options;
  options.unk_id = field.at("unk_id").integer(0, Vocabulary::id_limit - 1);
  options.byte_fallback = field.flag("byte_fallback", false);
  return std::make_unique<Unigram>(Vocabulary(*std::move(lists.vocabulary), file), *std::move(lists.scores),
                                   options, file);
}

std::unique_ptr<TokenModel> read_word_piece(const JsonField& field, ModelLists lists,
                                            const std::string& file) {
  WordPiece::Options options;
  options.unk_token = field.at("unk_token").text();
  options.continuing_subword_prefix = field.at("continuing_subword_prefix").text();
  options.max_input_chars_per_word =
      static_cast<std::size_t>(field.at("max_input_chars_per_word").integer(0, any));
  return std::make_unique<WordPiece>(Vocabulary(*std::move(lists.vocabulary), file), options, file);
}

std::unique_ptr<TokenModel> read_model(const JsonField& field, ModelLists lists, const std::string& file) {
  using Read = std::unique_ptr<TokenModel> (*)(const JsonField&, ModelLists, const std::string&);
  const std::string type = model_type(field, lists);
  Read read = nullptr;
  if (type == "WordPiece") read = read_word_piece;
  if (type == "BPE") read = read_byte_pair_encoding;
  if (type == "Unigram") read = read_unigram;
  if (type == "WordLevel") {
    read = [](const JsonField& model, ModelLists parts,
              const std::string& name) -> std::unique_ptr<TokenModel> {
      return std::make_unique<WordLevel>(Vocabulary(*std::move(parts.vocabulary), name),
                                         model.at("unk_token").text(), name);
    };
  }
  if (read == nullptr) field.unsupported("model", type);
  const bool scored = type == "Unigram";
  if (!lists.vocabulary || lists.scores.has_value() != scored) {
    field.refuse(scored ? "lacks \"vocab\", a list of tokens and scores"
                        : "lacks \"vocab\", an object of tokens and ids");
  }
  return read(field, std::move(lists), file);
}

SpecialToken read_special_token(const JsonField& field) {
  const auto items = field.items();
  if (items.size() != 2) field.refuse("must be a token and its id");
  return {items[0].text(), items[1].integer(0, Vocabulary::id_limit - 1)};
}

TemplatePart read_template_part(const JsonField& field, const JsonField& special_tokens) {
  using Kind = TemplatePart::Kind;
  if (const auto sequence = field.find("Sequence")) {
    const std::string& id = sequence->at("id").text();
    if (id != "A" && id != "B") sequence->at("id").refuse("must be \"A\" or \"B\"");
    return {id == "A" ? Kind::text : Kind::text_pair, sequence->at("type_id").integer(0, any), {}, {}};
  }
  const JsonField special = field.at("SpecialToken");
  TemplatePart part{Kind::special, special.at("type_id").integer(0, any), {}, {}};
  const JsonField token = special_tokens.at(special.at("id").text());
  for (const JsonField& id : token.at("ids").items())
    part.ids.push_back(id.integer(0, Vocabulary::id_limit - 1));
  for (const JsonField& text : token.at("tokens").items()) part.tokens.push_back(text.text());
  if (part.ids.size() != part.tokens.size()) token.refuse("must have as many ids as tokens");
  return part;
}

Template read_template(const JsonField& field, const JsonField& special_tokens, bool pair) {
  Template result;
  for (const JsonField& item : field.items()) {
    result.push_back(read_template_part(item, special_tokens));
    if (result.back().kind == TemplatePart::Kind::text_pair && !pair)
      item.refuse("names the second text of one");
  }
  return result;
}

std::unique_ptr<PostProcessor> read_post_processor(const JsonField& field,
                                                   const TokenizerConfig* class_config = nullptr);

std::unique_ptr<PostProcessor> read_sequence_processing(const JsonField& field) {
  std::vector<std::unique_ptr<PostProcessor>> processors;
  const JsonField list = field.at("processors");
  for (const JsonField& item : list.items()) processors.push_back(read_post_processor(item));
  if (processors.empty()) list.refuse("must not be empty");
  if (SequenceProcessing::adding(processors) > 1) {
    field.unsupported("post-processor", "Sequence of several that add tokens");
  }
  return std::make_unique<SequenceProcessing>(std::move(processors));
}

// class_config: of a class that takes RobertaProcessing's options from there (prefixes_as_roberta), else null.
std::unique_ptr<PostProcessor> read_post_processor(const JsonField& field,
                                                   const TokenizerConfig* class_config) {
  const std::string& type = field.at("type").text();
  if (type == "BertProcessing") {
    return std::make_unique<BertProcessing>(read_special_token(field.at("cls")),
                                            read_special_token(field.at("sep")));
  }
  if (type == "RobertaProcessing") {
    RobertaProcessing::Options options{.trim_offsets = field.at("trim_offsets").boolean(),
                                       .add_prefix_space = field.at("add_prefix_space").boolean()};
    if (class_config) {
      options.trim_offsets = class_config->trim_offsets.value_or(true);
      options.add_prefix_space = class_config->add_prefix_space.value_or(false);
    }
    return std::make_unique<RobertaProcessing>(read_special_token(field.at("cls")),
                                               read_special_token(field.at("sep")), options);
  }
  if (type == "ByteLevel") {
    return std::make_unique<ByteLevelProcessing>(
        ByteLevelProcessing::Options{.add_prefix_space = field.at("add_prefix_space").boolean(),
                                     .trim_offsets = field.at("trim_offsets").boolean()});
  }
  if (type == "TemplateProcessing") {
    const JsonField special_tokens = field.at("special_tokens");
    return std::make_unique<TemplateProcessing>(read_template(field.at("single"), special_tokens, false),
                                                read_template(field.at("pair"), special_tokens, true));
  }
  if (type == "Sequence") return read_sequence_processing(field);
  field.unsupported("post-processor", type);
}

std::unique_ptr<Decoder> read_decoder(const JsonField& field);

std::unique_ptr<Decoder> read_sequence_decoder(const JsonField& field) {
  std::vector<std::unique_ptr<Decoder>> decoders;
  for (const JsonField& item : field.at("decoders").items()) decoders.push_back(read_decoder(item));
  return make_sequence_decoder(std::move(decoders));
}

std::unique_ptr<Decoder> read_strip_decoder(const JsonField& field) {
  const JsonField content = field.at("content");
  const std::u32string text = decode_utf8(content.text());
  if (text.size() != 1) content.refuse("must be one character");
  return make_strip_decoder(text[0], static_cast<std::size_t>(field.at("start").integer(0, any)),
                            static_cast<std::size_t>(field.at("stop").integer(0, any)));
}

std::unique_ptr<Decoder> read_decoder(const JsonField& field) {
  const std::string& type = field.at("type").text();
  if (type == "WordPiece") {
    return std::make_unique<WordPieceDecoder>(field.at("prefix").text(), field.at("cleanup").boolean());
  }
  if (type == "ByteLevel") return std::make_unique<ByteLevelDecoder>();
  if (type == "ByteFallback") return std::make_unique<ByteFallbackDecoder>();
  if (type == "Metaspace") return std::make_unique<MetaspaceDecoder>(read_metaspace(field));
  if (type == "Sequence") return read_sequence_decoder(field);
  if (type == "Replace") {
    return make_replace_decoder(read_pattern(field.at("pattern")), field.at("content").text());
  }
  if (type == "Strip") return read_strip_decoder(field);
  if (type == "Fuse") return make_fuse_decoder();
  if (type == "BPEDecoder") return make_bpe_decoder(field.at("suffix").text());
  field.unsupported("decoder", type);
}

}  // namespace

TokenizerParts read_tokenizer_json(const File& file, const TokenizerConfig& config) {
  TokenizerDocument document = read_tokenizer_document(file);
  const JsonField root(document.file);
  if (const auto version = root.find("version"); version && version->text() != "1.0") {
    version->unsupported("format version", version->text());
  }
  TokenizerParts parts;
  parts.model = read_model(root.at("model"), std::move(document.lists), file.name);
  if (const auto field = root.find("normalizer")) parts.normalizer = read_class_normalizer(*field, config);
  if (const auto field = root.find("pre_tokenizer")) {
    parts.pre_tokenizer = read_class_pre_tokenizer(*field, config);
  }
  if (const auto field = root.find("post_processor")) {
    parts.post_processor = read_post_processor(*field, prefixes_as_roberta(config) ? &config : nullptr);
  }
  if (const auto field = root.find("decoder")) parts.decoder = read_decoder(*field);
  if (const auto field = root.find("added_tokens")) {
    for (const JsonField& item : field->items()) {
      item.at("id").integer(0, Vocabulary::id_limit - 1);
      parts.added_tokens.push_back(read_added_token(item));
    }
  }
  return parts;
}

}  // namespace headlight
