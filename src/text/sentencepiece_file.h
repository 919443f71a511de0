#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headlight.h"

namespace headlight {

// What a SentencePiece model file, a protobuf message, says (sentencepiece_model.proto). All texts lie in the file.
struct SentencePieceFile {
  static constexpr std::size_t max_piece_length = 1024;  // bytes

  enum class ModelType : std::uint8_t { unigram = 1, bpe = 2, word = 3, character = 4 };
  enum class PieceType : std::uint8_t {
    normal = 1,
    unknown = 2,
    control = 3,
    user_defined = 4,
    unused = 5,
    byte = 6
  };
  struct Piece {
    std::string_view text;
    float score = 0;  // finite
    PieceType type = PieceType::normal;
  };

  std::vector<Piece> pieces;  // by id
  ModelType model_type = ModelType::unigram;
  std::int32_t unk_id = 0;  // an id of the pieces
  std::string_view unk_piece = "<unk>";
  std::string_view charsmap;  // the normalizer's compiled rules; empty: it has none
};

// Throws E_INVALID_TOKENIZER for what is no such file, E_UNSUPPORTED_TOKENIZER for model types other than unigram and
// bpe and for pieces that are too long. `file` must outlive the result.
SentencePieceFile read_sentencepiece_file(const File& file);

}  // namespace headlight
