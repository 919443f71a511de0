// The files that sentence-transformers adds to a model's folder: what makes one vector of a text's hidden states.
#pragma once

#include <optional>
#include <span>

#include "headlight.h"

namespace headlight {

// Names of the files, modules.json first, in the order in which to ask for them.
inline constexpr std::string_view kSentenceFiles[] = {"modules.json", "sentence_bert_config.json",
                                                      "config_sentence_transformers.json",
                                                      "1_Pooling/config.json"};

// Nothing for a folder without modules.json. Throws E_INVALID_CONFIG for files that cannot be understood.
std::optional<SentenceInfo> read_sentence_transformer(std::span<const File> files);

}  // namespace headlight
