#include <catch2/catch_test_macros.hpp>

#include "headlight.h"

namespace headlight::test {
namespace {

TEST_CASE("an error says in one line what was wrong, where, and what to do") {
  const Error error(ErrorCode::E_MODEL_TRUNCATED, "The header ends too early",
                    {.file = "model.safetensors", .tensor = "bert.pooler.dense.bias", .offset = 12});
  CHECK(error.code() == ErrorCode::E_MODEL_TRUNCATED);
  CHECK(error.code_name() == "E_MODEL_TRUNCATED");
  CHECK(error.message() == "The header ends too early");
  CHECK(error.place().offset == 12);
  CHECK(std::string(error.what()) ==
        "E_MODEL_TRUNCATED: The header ends too early (model.safetensors, bert.pooler.dense.bias, byte 12). "
        "The file ends too early. Download or copy it again.");
}

TEST_CASE("an error without a place names none") {
  const Error error(ErrorCode::E_DISPOSED, "classify was called");
  CHECK(std::string(error.what()) ==
        "E_DISPOSED: classify was called. The model was disposed of. Load it again.");
}

}  // namespace
}  // namespace headlight::test
