#pragma once

#include "text/merge_list.h"
#include "text/sentencepiece_file.h"
#include "text/vocabulary.h"

namespace headlight {

// The merges of a SentencePiece model of the type bpe, which lists only what merging makes: every cut of a token of
// the vocabulary into two of the file's pieces. Those of higher scores go first, then, as transformers' conversion
// has it, those of longer parts. scores: by id of the vocabulary.
MergeList merges_of_pieces(const SentencePieceFile& file, const Vocabulary& vocabulary,
                           const std::vector<double>& scores);

}  // namespace headlight
