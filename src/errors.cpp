#include "headlight.h"

namespace headlight {

namespace {

struct ErrorText {
  std::string_view name;
  std::string_view advice;
};

constexpr ErrorText error_texts[] = {
#define HEADLIGHT_ERROR(code, advice) {#code, advice},
#include "error_codes.def"
#undef HEADLIGHT_ERROR
};

const ErrorText& text_of(ErrorCode code) { return error_texts[static_cast<std::size_t>(code)]; }

std::string describe(const ErrorPlace& place) {
  std::string text = place.file;
  const auto append = [&text](std::string_view what) {
    if (!text.empty()) text += ", ";
    text += what;
  };
  if (!place.tensor.empty()) append(place.tensor);
  if (place.offset) append("byte " + std::to_string(*place.offset));
  return text;
}

}  // namespace

Error::Error(ErrorCode code, std::string message, ErrorPlace place)
    : code_(code), message_(std::move(message)), place_(std::move(place)) {
  what_.append(code_name()).append(": ").append(message_);
  if (const std::string where = describe(place_); !where.empty())
    what_.append(" (").append(where).append(")");
  what_.append(". ").append(advice());
}

std::string_view Error::code_name() const noexcept { return text_of(code_).name; }
std::string_view Error::advice() const noexcept { return text_of(code_).advice; }

}  // namespace headlight
