#include "text/normalizer_json.h"

#include "text/base64.h"
#include "text/bert_normalizer.h"
#include "text/class_tokens.h"
#include "text/normalizers.h"
#include "text/precompiled_normalizer.h"
#include "text/tokenizer_config.h"
#include "text/utf8.h"
#include "throw_error.h"

namespace headlight {

namespace {

std::unique_ptr<Normalizer> read_bert_normalizer(const JsonField& field,
                                                 const TokenizerConfig* class_config) {
  BertNormalizerOptions options;
  options.clean_text = field.at("clean_text").boolean();
  options.handle_chinese_chars = field.at("handle_chinese_chars").boolean();
  options.lowercase = field.at("lowercase").boolean();
  const auto strip_accents = field.find("strip_accents");
  options.strip_accents = strip_accents ? strip_accents->boolean() : options.lowercase;
  if (class_config) {
    options.handle_chinese_chars = class_config->tokenize_chinese_chars.value_or(true);
    options.lowercase = class_config->do_lower_case.value_or(true);
    options.strip_accents = class_config->strip_accents.value_or(options.lowercase);
  }
  return std::make_unique<BertNormalizer>(options);
}

std::unique_ptr<Normalizer> read_precompiled_normalizer(const JsonField& field) {
  const auto charsmap = field.find("precompiled_charsmap");
  if (!charsmap) return make_sequence_normalizer({});  // a model without rules
  auto bytes = decode_base64(charsmap->text());
  if (!bytes) charsmap->refuse("must be base64");
  return make_precompiled_normalizer(*std::move(bytes), field.file());
}

std::unique_ptr<Normalizer> read_sequence_normalizer(const JsonField& field) {
  std::vector<std::unique_ptr<Normalizer>> normalizers;
  for (const JsonField& item : field.at("normalizers").items()) normalizers.push_back(read_normalizer(item));
  return make_sequence_normalizer(std::move(normalizers));
}

}  // namespace

Regex read_pattern(const JsonField& field) {
  if (const auto text = field.find("String")) return Regex::literal(decode_utf8(text->text()));
  const std::string& pattern = field.at("Regex").text();
  try {
    return Regex(decode_utf8(pattern));
  } catch (const Error& error) {
    throw_error(error.code(), error.message(), {.file = field.file()});
  }
}

std::unique_ptr<Normalizer> read_normalizer(const JsonField& field) {
  const std::string& type = field.at("type").text();
  if (type == "BertNormalizer") return read_bert_normalizer(field, nullptr);
  if (type == "Sequence") return read_sequence_normalizer(field);
  if (type == "Precompiled") return read_precompiled_normalizer(field);
  if (type == "Replace") {
    return make_replace_normalizer(read_pattern(field.at("pattern")),
                                   decode_utf8(field.at("content").text()));
  }
  if (type == "NFC") return make_unicode_normalizer(NormalForm::nfc);
  if (type == "NFD") return make_unicode_normalizer(NormalForm::nfd);
  if (type == "NFKC") return make_unicode_normalizer(NormalForm::nfkc);
  if (type == "NFKD") return make_unicode_normalizer(NormalForm::nfkd);
  if (type == "Lowercase") return make_lowercase_normalizer();
  if (type == "StripAccents") return make_strip_accents_normalizer();
  if (type == "Strip") {
    return make_strip_normalizer(field.at("strip_left").boolean(), field.at("strip_right").boolean());
  }
  if (type == "Prepend") return make_prepend_normalizer(decode_utf8(field.at("prepend").text()));
  if (type == "Nmt") return make_nmt_normalizer();
  if (type == "ByteLevel") return make_byte_level_normalizer();
  field.unsupported("normalizer", type);
}

std::unique_ptr<Normalizer> read_class_normalizer(const JsonField& field, const TokenizerConfig& config) {
  const bool told = field.at("type").text() == "BertNormalizer" && normalizes_as_bert(config);
  return told ? read_bert_normalizer(field, &config) : read_normalizer(field);
}

}  // namespace headlight
