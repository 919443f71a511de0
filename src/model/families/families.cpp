#include "model/families/families.h"
#include "throw_error.h"

namespace headlight {
namespace {

constexpr Family kFamilies[] = {
    {"albert", build_albert},         {"bert", build_bert},
    {"big_bird", build_big_bird},     {"camembert", build_camembert},
    {"deberta-v2", build_deberta_v2}, {"distilbert", build_distilbert},
    {"electra", build_electra},       {"ernie", build_ernie},
    {"longformer", build_longformer}, {"mobilebert", build_mobilebert},
    {"modernbert", build_modernbert}, {"mpnet", build_mpnet},
    {"nezha", build_nezha},           {"roberta", build_roberta},
    {"roformer", build_roformer},     {"xlm-roberta", build_xlm_roberta},
};

}  // namespace

const Family& find_family(std::string_view model_type) {
  std::string known;
  for (const Family& family : kFamilies) {
    if (family.model_type == model_type) return family;
    known += known.empty() ? "" : ", ";
    known += family.model_type;
  }
  throw_error(ErrorCode::E_UNSUPPORTED_FAMILY,
              {"The model_type \"", model_type, "\" is not supported; these are: ", known},
              {.file = "config.json"});
}

}  // namespace headlight
