// Files of weights: the first byte says in which chunks they arrive, and whether their size is told.
#pragma once

#include <map>
#include <memory>

#include "fuzz.h"
#include "weights/weight_reader.h"

namespace headlight::fuzz {

// Counts what it is given, which must come in order and be no more than was promised.
class CountingSink : public TensorSink {
 public:
  explicit CountingSink(std::size_t elements) : elements_(elements) {}
  void write(std::size_t first, std::span<const float> values) override {
    if (first != next_ || values.size() > elements_ - next_) __builtin_trap();
    next_ += values.size();
  }
  bool full() const { return next_ == elements_; }

 private:
  std::size_t elements_, next_ = 0;
};

inline void read_weights(const std::string& name, Input input) {
  const std::uint8_t choice = input.number();
  const std::string_view bytes = input.rest();
  allow_errors([&] {
    std::map<std::string, std::unique_ptr<CountingSink>> sinks;
    const TensorVisitor visitor{
        .tensors = {},
        .tensor = [&](const TensorEntry& tensor) -> TensorSink* {
          if (!is_decodable(tensor.dtype)) return nullptr;
          auto& sink = sinks[tensor.name];
          sink = std::make_unique<CountingSink>(tensor.elements());
          return sink.get();
        },
        .finished = [&](const TensorEntry& tensor) {
          const auto sink = sinks.find(tensor.name);
          if (sink != sinks.end() && !sink->second->full()) __builtin_trap();
        }};
    const auto told = choice & 0x80 ? std::optional<std::uint64_t>(bytes.size()) : std::nullopt;
    const auto reader = make_weight_reader(name, told, visitor);
    feed_in_chunks(bytes, choice, [&](auto chunk) { reader->feed(chunk); });
    reader->end();
  });
  allow_errors([&] {
    Packer packer([](std::uint64_t, std::span<const std::byte>) {}, name);
    feed_in_chunks(bytes, choice, [&](auto chunk) { packer.feed(chunk); });
    packer.finish();
  });
}

}  // namespace headlight::fuzz
