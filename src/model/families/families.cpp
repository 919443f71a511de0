#include "model/families/families.h"

namespace headlight {
namespace {

constexpr Family kFamilies[] = {
    {"bert", build_bert},
};

}  // namespace

const Family& find_family(std::string_view model_type) {
  std::string known;
  for (const Family& family : kFamilies) {
    if (family.model_type == model_type) return family;
    known += known.empty() ? "" : ", ";
    known += family.model_type;
  }
  throw Error(ErrorCode::E_UNSUPPORTED_FAMILY,
              "The model_type \"" + std::string(model_type) + "\" is not supported; these are: " + known,
              {.file = "config.json"});
}

}  // namespace headlight
