#include "text/read_tokenizer.h"

#include "text/sentencepiece_model.h"
#include "text/tokenizer_config.h"
#include "text/tokenizer_json.h"
#include "text/vocab_json.h"
#include "text/vocab_txt.h"
#include "throw_error.h"

namespace headlight {

namespace {

TokenizerParts read_main_file(std::span<const File> files, const TokenizerConfig& config) {
  if (const File* file = find_file(files, "tokenizer.json")) return read_tokenizer_json(*file, config);
  if (const File* file = find_file(files, "vocab.txt")) return read_vocab_txt(*file, config);
  if (const File* file = find_file(files, "vocab.json")) {
    const File* merges = find_file(files, "merges.txt");
    if (merges == nullptr) throw_error(ErrorCode::E_NOT_FOUND, "There is vocab.json, but not its merges.txt");
    return read_vocab_json(*file, *merges, config);
  }
  for (const std::string_view name : {"sentencepiece.bpe.model", "spiece.model", "spm.model"}) {
    if (const File* file = find_file(files, name)) return read_sentencepiece_model(*file, config);
  }
  throw_error(ErrorCode::E_NOT_FOUND,
              "There is neither tokenizer.json nor a vocabulary file of an older kind");
}

}  // namespace

TokenizerParts read_tokenizer(std::span<const File> files) {
  const TokenizerConfig config = read_tokenizer_config(files);
  TokenizerParts parts = read_main_file(files, config);
  apply_config(config, parts);
  return parts;
}

}  // namespace headlight
