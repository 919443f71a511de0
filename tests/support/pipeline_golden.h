// Results of transformers' pipelines that golden cases hold.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "headlight.h"

namespace headlight::test {

// Runs `check` on each call of this task ("token-classification") in the cases of root; gives their number.
std::size_t for_each_call(const std::filesystem::path& root, const std::string& task,
                          const std::function<void(const Model&, const nlohmann::json& call)>& check);

// Whether the score is the reference's: at most 1e-4 apart.
void check_score(double actual, const nlohmann::json& expected);

}  // namespace headlight::test
