// What the fuzzers share. Each is a program of libFuzzer's: it is given bytes, and whatever they are, the engine must give a
// result or an Error. Anything else, a signal or another exception, ends the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "headlight.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace headlight::fuzz {

// Numbers from the front of the input, the rest of it as text.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : bytes_(reinterpret_cast<const char*>(data), size) {}

  // The next byte; 0 past the end.
  std::uint8_t number() {
    if (bytes_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return first;
  }
  // What stands before the next `separator`, or before the end.
  std::string until(char separator) {
    const std::string_view part = bytes_.substr(0, bytes_.find(separator));
    bytes_.remove_prefix(std::min(part.size() + 1, bytes_.size()));
    return std::string(part);
  }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

// Runs `action`, which may end with an Error that says something.
template <typename Action>
void allow_errors(Action action) {
  try {
    action();
  } catch (const Error& error) {
    if (error.message().empty() || error.advice().empty() || error.code() == ErrorCode::E_INTERNAL) __builtin_trap();
  }
}

// Feeds `bytes` in chunks, of 1 to 64 KiB by `choice`.
template <typename Feed>
void feed_in_chunks(std::string_view bytes, std::uint8_t choice, Feed feed) {
  const std::size_t chunk = std::size_t{1} << (choice % 17);
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    const std::string_view part = bytes.substr(at, chunk);
    feed(std::as_bytes(std::span(part.data(), part.size())));
  }
}

}  // namespace headlight::fuzz
