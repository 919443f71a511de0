#include "text/byte_level_decoder.h"

#include <string_view>

#include "text/byte_alphabet.h"
#include "text/utf8.h"

namespace headlight {

void ByteLevelDecoder::decode(std::vector<std::string>& tokens) const {
  std::string bytes;
  for (const std::string& token : tokens) {
    const std::size_t already = bytes.size();
    for (const char32_t letter : decode_utf8(token)) {
      const auto byte = byte_of_letter(letter);
      if (!byte) {
        bytes.resize(already);
        bytes += token;
        break;
      }
      bytes += static_cast<char>(*byte);
    }
  }
  tokens.assign(1, encode_utf8(decode_utf8(bytes)));
}

}  // namespace headlight
