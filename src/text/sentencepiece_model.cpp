#include "text/sentencepiece_model.h"

#include <algorithm>
#include <iterator>

#include "text/byte_pair_encoding.h"
#include "text/class_tokens.h"
#include "text/metaspace.h"
#include "text/normalizers.h"
#include "text/precompiled_normalizer.h"
#include "text/sentencepiece_file.h"
#include "text/sentencepiece_merges.h"
#include "text/template_processing.h"
#include "text/unicode_traits.h"
#include "text/unigram.h"
#include "text/utf8.h"
#include "throw_error.h"

namespace headlight {

namespace {

// What a class of transformers makes of the file's pieces: its own tokens, then the pieces from `first` on.
struct Layout {
  std::vector<std::string_view> before;
  std::size_t first = 0;
  bool mask_after = false;             // "<mask>" is the last token
  std::optional<std::int32_t> unk_id;  // none: the file's
};

struct SentencePieceClass {
  std::string_view kind;
  ClassTokens tokens;
  bool double_sep;  // a pair has two separators between, and no token types
};

constexpr SentencePieceClass classes[] = {{"Albert", albert_tokens, false},
                                          {"BigBird", big_bird_tokens, false},
                                          {"Camembert", roberta_tokens, true},
                                          {"DebertaV2", deberta_tokens, false},
                                          {"XLMRoberta", roberta_tokens, true}};

const SentencePieceClass& class_of(const TokenizerConfig& config, const File& file) {
  const std::string kind = tokenizer_kind(config);
  const auto found = std::find_if(std::begin(classes), std::end(classes),
                                  [&kind](const SentencePieceClass& known) { return known.kind == kind; });
  if (found != std::end(classes)) return *found;
  if (kind.empty()) {
    throw_error(ErrorCode::E_UNSUPPORTED_TOKENIZER,
                "Neither tokenizer_config.json's tokenizer_class nor config.json's model_type tells how the "
                "SentencePiece model is used",
                {.file = file.name});
  }
  refuse_class({kind, "Tokenizer"}, file);
}

// The lists of fairseq's models begin otherwise than the files.
Layout layout_of(std::string_view kind) {
  if (kind == "XLMRoberta") return {{"<s>", "<pad>", "</s>", "<unk>"}, 3, true, 3};
  if (kind == "Camembert") {
    return {{"<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<unk>NOTUSED"}, 1, true, 3};
  }
  return {};
}

struct Tokens {
  Vocabulary vocabulary;
  std::vector<double> scores;
};

// ALBERT avoids pieces that end in a digit and a comma.
bool is_number_with_comma(std::string_view piece, const CodePointSet& digits) {
  if (!piece.ends_with(',')) return false;
  const std::u32string text = decode_utf8(piece);
  return text.size() >= 2 && digits.contains(text[text.size() - 2]);
}

Tokens read_tokens(const SentencePieceFile& pieces, std::string_view kind, const Layout& layout,
                   const std::string& file) {
  constexpr double avoided = -100;
  Vocabulary::Builder builder;
  builder.set_repeated(Vocabulary::Builder::Repeated::last_found);
  std::vector<double> scores;
  const auto add = [&](std::string_view token, double score) {
    builder.add(token, static_cast<std::int32_t>(scores.size()));
    scores.push_back(score);
  };
  for (const std::string_view token : layout.before) add(token, token == "<unk>NOTUSED" ? avoided : 0);
  const CodePointSet digits = kind == "Albert" ? *unicode::code_points_of_property("Nd") : CodePointSet();
  for (std::size_t i = layout.first; i < pieces.pieces.size(); ++i) {
    const auto& piece = pieces.pieces[i];
    add(piece.text, piece.score + (is_number_with_comma(piece.text, digits) ? avoided : 0));
  }
  if (layout.mask_after) add("<mask>", 0);
  return {Vocabulary(std::move(builder), file), std::move(scores)};
}

std::unique_ptr<TokenModel> make_model(const SentencePieceFile& pieces, std::string_view kind,
                                       const std::string& file) {
  const Layout layout = layout_of(kind);
  Tokens tokens = read_tokens(pieces, kind, layout, file);
  if (pieces.model_type == SentencePieceFile::ModelType::unigram) {
    return std::make_unique<Unigram>(std::move(tokens.vocabulary), std::move(tokens.scores),
                                     Unigram::Options{.unk_id = layout.unk_id.value_or(pieces.unk_id)}, file);
  }
  BytePairEncoding::Options options;
  options.unk_token = std::string(pieces.unk_piece);
  options.fuse_unk = true;
  const MergeList merges = merges_of_pieces(pieces, tokens.vocabulary, tokens.scores);
  return std::make_unique<BytePairEncoding>(std::move(tokens.vocabulary), merges, std::move(options), file);
}

std::unique_ptr<Normalizer> make_normalizer(std::string_view kind, std::string_view charsmap,
                                            const TokenizerConfig& config, const std::string& file) {
  std::vector<std::unique_ptr<Normalizer>> steps;
  const auto replace = [&steps](Regex pattern, std::u32string content) {
    steps.push_back(make_replace_normalizer(std::move(pattern), std::move(content)));
  };
  const bool albert = kind == "Albert", deberta = kind == "DebertaV2";
  if (albert) {
    replace(Regex::literal(U"``"), U"\"");
    replace(Regex::literal(U"''"), U"\"");
    if (!config.keep_accents.value_or(false)) {
      steps.push_back(make_unicode_normalizer(NormalForm::nfkd));
      steps.push_back(make_strip_accents_normalizer());
    }
  }
  if ((albert || deberta) && config.do_lower_case.value_or(albert)) {
    steps.push_back(make_lowercase_normalizer());
  }
  if (deberta) steps.push_back(make_strip_normalizer(true, true));
  if (!charsmap.empty()) steps.push_back(make_precompiled_normalizer(std::string(charsmap), file));
  if (!albert && !deberta) steps.push_back(make_strip_normalizer(false, true));
  replace(Regex(U" {2,}"), albert || deberta ? U" " : U"\u2581");
  return make_sequence_normalizer(std::move(steps));
}

std::unique_ptr<PostProcessor> make_post_processor(const SentencePieceClass& of, const Vocabulary& vocabulary,
                                                   const std::string& file) {
  using Kind = TemplatePart::Kind;
  const auto special = [&](std::string_view token, std::int32_t type_id) {
    return special_part({std::string(token), vocabulary.required(token, "special token", file)}, type_id);
  };
  const std::int32_t pair_type = of.double_sep ? 0 : 1;
  Template single = {special(of.tokens.cls, 0), {Kind::text, 0, {}, {}}, special(of.tokens.sep, 0)};
  Template pair = single;
  if (of.double_sep) pair.push_back(special(of.tokens.sep, 0));
  pair.push_back({Kind::text_pair, pair_type, {}, {}});
  pair.push_back(special(of.tokens.sep, pair_type));
  return std::make_unique<TemplateProcessing>(std::move(single), std::move(pair));
}

// Control and user-defined pieces are found in the text before anything else.
std::vector<AddedToken> added_pieces(const SentencePieceFile& pieces) {
  using Type = SentencePieceFile::PieceType;
  std::vector<AddedToken> tokens;
  for (const auto& piece : pieces.pieces) {
    if (piece.type != Type::control && piece.type != Type::user_defined) continue;
    tokens.push_back({.content = std::string(piece.text), .special = piece.type == Type::control});
  }
  return tokens;
}

}  // namespace

TokenizerParts read_sentencepiece_model(const File& file, const TokenizerConfig& config) {
  const SentencePieceClass& of = class_of(config, file);
  if (of.kind == "DebertaV2" && config.split_by_punct.value_or(false)) {
    throw_error(ErrorCode::E_UNSUPPORTED_TOKENIZER, "split_by_punct is not supported without tokenizer.json",
                {.file = file.name});
  }
  const SentencePieceFile pieces = read_sentencepiece_file(file);
  TokenizerParts parts;
  parts.model = make_model(pieces, of.kind, file.name);
  parts.normalizer = make_normalizer(of.kind, pieces.charsmap, config, file.name);
  parts.pre_tokenizer = std::make_unique<MetaspacePreTokenizer>(Metaspace{});
  parts.decoder = std::make_unique<MetaspaceDecoder>(Metaspace{});
  parts.post_processor = make_post_processor(of, parts.model->vocabulary(), file.name);
  parts.added_tokens = added_pieces(pieces);
  for (const std::string_view token : layout_of(of.kind).before) {
    parts.added_tokens.push_back({.content = std::string(token), .special = true});
  }
  for (const auto& tokens : {config.added_tokens, special_tokens(of.tokens, config)}) {
    parts.added_tokens.insert(parts.added_tokens.end(), tokens.begin(), tokens.end());
  }
  return parts;
}

}  // namespace headlight
