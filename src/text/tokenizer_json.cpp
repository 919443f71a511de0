#include "text/tokenizer_json.h"

#include <limits>

#include "text/bert_normalizer.h"
#include "text/bert_pre_tokenizer.h"
#include "text/bert_processing.h"
#include "text/json_file.h"
#include "text/template_processing.h"
#include "text/tokenizer_config.h"
#include "text/word_piece.h"
#include "text/word_piece_decoder.h"

namespace headlight {

namespace {

constexpr std::int32_t any = std::numeric_limits<std::int32_t>::max();

std::unique_ptr<Normalizer> read_normalizer(const JsonField& field) {
  const std::string& type = field.at("type").text();
  if (type == "BertNormalizer") {
    BertNormalizerOptions options;
    options.clean_text = field.at("clean_text").boolean();
    options.handle_chinese_chars = field.at("handle_chinese_chars").boolean();
    options.lowercase = field.at("lowercase").boolean();
    const auto strip_accents = field.find("strip_accents");
    options.strip_accents = strip_accents ? strip_accents->boolean() : options.lowercase;
    return std::make_unique<BertNormalizer>(options);
  }
  field.unsupported("normalizer", type);
}

std::unique_ptr<PreTokenizer> read_pre_tokenizer(const JsonField& field) {
  const std::string& type = field.at("type").text();
  if (type == "BertPreTokenizer") return std::make_unique<BertPreTokenizer>();
  field.unsupported("pre-tokenizer", type);
}

// Files of before 2021 do not name the type.
std::string model_type(const JsonField& field) {
  if (const auto type = field.find("type")) return type->text();
  return field.find("max_input_chars_per_word") ? "WordPiece" : "without a type";
}

std::unique_ptr<TokenModel> read_model(const JsonField& field, std::optional<Vocabulary::Builder> vocabulary,
                                       const std::string& file) {
  const std::string type = model_type(field);
  if (type == "WordPiece") {
    if (!vocabulary) field.refuse("lacks \"vocab\", an object of tokens and ids");
    WordPiece::Options options;
    options.unk_token = field.at("unk_token").text();
    options.continuing_subword_prefix = field.at("continuing_subword_prefix").text();
    options.max_input_chars_per_word =
        static_cast<std::size_t>(field.at("max_input_chars_per_word").integer(0, any));
    return std::make_unique<WordPiece>(Vocabulary(*std::move(vocabulary), file), options, file);
  }
  field.unsupported("model", type);
}

BertProcessing::SpecialToken read_special_token(const JsonField& field) {
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

std::unique_ptr<PostProcessor> read_post_processor(const JsonField& field) {
  const std::string& type = field.at("type").text();
  if (type == "BertProcessing") {
    return std::make_unique<BertProcessing>(read_special_token(field.at("cls")),
                                            read_special_token(field.at("sep")));
  }
  if (type == "TemplateProcessing") {
    const JsonField special_tokens = field.at("special_tokens");
    return std::make_unique<TemplateProcessing>(read_template(field.at("single"), special_tokens, false),
                                                read_template(field.at("pair"), special_tokens, true));
  }
  field.unsupported("post-processor", type);
}

std::unique_ptr<Decoder> read_decoder(const JsonField& field) {
  const std::string& type = field.at("type").text();
  if (type == "WordPiece") {
    return std::make_unique<WordPieceDecoder>(field.at("prefix").text(), field.at("cleanup").boolean());
  }
  field.unsupported("decoder", type);
}

}  // namespace

TokenizerParts read_tokenizer_json(const File& file) {
  TokenizerDocument document = read_tokenizer_document(file);
  const JsonField root(document.json, file.name);
  if (const auto version = root.find("version"); version && version->text() != "1.0") {
    version->unsupported("format version", version->text());
  }
  TokenizerParts parts;
  parts.model = read_model(root.at("model"), std::move(document.vocabulary), file.name);
  if (const auto field = root.find("normalizer")) parts.normalizer = read_normalizer(*field);
  if (const auto field = root.find("pre_tokenizer")) parts.pre_tokenizer = read_pre_tokenizer(*field);
  if (const auto field = root.find("post_processor")) parts.post_processor = read_post_processor(*field);
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
