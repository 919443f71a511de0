#include "text/byte_fallback_decoder.h"

#include "text/byte_token.h"
#include "text/utf8.h"

namespace headlight {

void ByteFallbackDecoder::decode(std::vector<std::string>& tokens) const {
  std::vector<std::string> result;
  std::string bytes;
  const auto flush = [&] {
    if (!bytes.empty() && !find_invalid_utf8(bytes)) {
      result.push_back(std::move(bytes));
    } else {
      for (std::size_t i = 0; i < bytes.size(); ++i) result.emplace_back("\uFFFD");
    }
    bytes.clear();
  };
  for (std::string& token : tokens) {
    if (const auto byte = byte_of_token(token)) {
      bytes += static_cast<char>(*byte);
    } else {
      flush();
      result.push_back(std::move(token));
    }
  }
  flush();
  tokens = std::move(result);
}

}  // namespace headlight
