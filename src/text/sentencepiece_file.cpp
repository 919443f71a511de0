#include "text/sentencepiece_file.h"
#include "throw_error.h"

#include <cmath>

#include "text/protobuf.h"
#include "text/utf8.h"
#include "text/vocabulary.h"

namespace headlight {

namespace {

using Type = SentencePieceFile::PieceType;

// Fields of the proto file's messages.
enum ModelField : std::uint32_t { pieces_field = 1, trainer_field = 2, normalizer_field = 3 };
enum PieceField : std::uint32_t { text_field = 1, score_field = 2, type_field = 3 };
enum TrainerField : std::uint32_t { model_type_field = 3, unk_id_field = 40, unk_piece_field = 45 };
enum NormalizerField : std::uint32_t { charsmap_field = 2 };

[[noreturn]] void unsupported(const File& file, const TextPiece& problem) {
  throw_error(ErrorCode::E_UNSUPPORTED_TOKENIZER, problem, {.file = file.name});
}

std::string_view read_text(ProtobufReader& message) {
  const std::string_view text = message.bytes();
  if (find_invalid_utf8(text)) message.refuse("A piece is not valid UTF-8");
  return text;
}

SentencePieceFile::Piece read_piece(ProtobufReader message, const File& file) {
  SentencePieceFile::Piece piece;
  while (message.next()) {
    if (message.field() == text_field) piece.text = read_text(message);
    if (message.field() == score_field) piece.score = message.real();
    if (message.field() == type_field) {
      const std::uint64_t type = message.integer();
      if (type < 1 || type > 6) message.refuse("A piece is of an unknown type");
      piece.type = static_cast<Type>(type);
    }
  }
  if (!std::isfinite(piece.score)) message.refuse("The score of a piece is not a finite number");
  if (piece.text.size() > SentencePieceFile::max_piece_length) {
    unsupported(file, {"A piece is longer than ", SentencePieceFile::max_piece_length, " bytes"});
  }
  return piece;
}

void read_trainer(ProtobufReader message, SentencePieceFile& result) {
  while (message.next()) {
    if (message.field() == model_type_field) {
      const std::uint64_t type = message.integer();
      if (type < 1 || type > 4) message.refuse("The model is of an unknown type");
      result.model_type = static_cast<SentencePieceFile::ModelType>(type);
    }
    if (message.field() == unk_id_field) {
      const std::uint64_t id = message.integer();
      if (id >= static_cast<std::uint64_t>(Vocabulary::id_limit)) message.refuse("unk_id is no id");
      result.unk_id = static_cast<std::int32_t>(id);
    }
    if (message.field() == unk_piece_field) result.unk_piece = read_text(message);
  }
}

}  // namespace

SentencePieceFile read_sentencepiece_file(const File& file) {
  SentencePieceFile result;
  ProtobufReader model(file.bytes, file.name);
  while (model.next()) {
    if (model.field() == pieces_field) {
      if (result.pieces.size() == static_cast<std::size_t>(Vocabulary::id_limit)) {
        model.refuse({"There are more than ", Vocabulary::id_limit, " pieces"});
      }
      result.pieces.push_back(read_piece(model.message(), file));
    }
    if (model.field() == trainer_field) read_trainer(model.message(), result);
    if (model.field() == normalizer_field) {
      ProtobufReader normalizer = model.message();
      while (normalizer.next()) {
        if (normalizer.field() == charsmap_field) result.charsmap = normalizer.bytes();
      }
    }
  }
  if (result.pieces.empty()) model.refuse("There are no pieces");
  if (static_cast<std::size_t>(result.unk_id) >= result.pieces.size()) {
    model.refuse({"unk_id ", result.unk_id, " is outside the pieces"});
  }
  if (result.model_type != SentencePieceFile::ModelType::unigram &&
      result.model_type != SentencePieceFile::ModelType::bpe) {
    unsupported(file, "SentencePiece models of words or characters are not supported");
  }
  return result;
}

}  // namespace headlight
