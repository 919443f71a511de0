// Models whose head is told what to say, for what no golden has.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "headlight.h"
#include "support/random_bert.h"

namespace headlight::test {

// A model of random weights with these keys of config.json replaced.
Model random_model_of(const RandomBert& shape = {},
                      const nlohmann::json& more_config = nlohmann::json::object());

// id2label of these labels.
nlohmann::json id2label(const std::vector<std::string>& labels);

// A token classifier whose label is told by the token alone: labels[i] for the letter 'a' + i, the first label for
// every other token. The score of that label is above 0.99.
Model letter_classifier(const std::vector<std::string>& labels, std::size_t max_position_embeddings = 512);

}  // namespace headlight::test
