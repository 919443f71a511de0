// Text to tokens to logits, through a small model: what a text says never breaks a run, and its numbers are finite.
#include <cmath>

#include "fuzz.h"

namespace {

using namespace headlight;

const Model& model() {
  static const Model loaded = Model::load(HEADLIGHT_FUZZ_MODEL);
  return loaded;
}

void check_finite(std::span<const float> values) {
  for (const float value : values) {
    if (!std::isfinite(value)) __builtin_trap();
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input bytes(data, size);
  const std::uint8_t task = bytes.number(), length = bytes.number();
  headlight::Input input{bytes.until('\0')};
  if (!bytes.rest().empty()) input.text_pair = std::string(bytes.rest());
  TextOptions text;
  if (length > 0) text.max_length = length;
  if (task & 0x10) text.overlong = Overlong::error;
  fuzz::allow_errors([&] {
    switch (task % 4) {
      case 0:
        for (const Classification& result : model().classify({&input, 1}, {.text = text})) {
          for (const LabelScore& label : result.labels) check_finite({&label.score, 1});
        }
        break;
      case 1: {
        const AttentionResult result = model()
                                           .attention({&input, 1}, {.query = AttentionQuery::all,
                                                                    .special_tokens = true,
                                                                    .words = (task & 0x20) != 0,
                                                                    .text = text})
                                           .at(0);
        check_finite(result.weights.data);
        for (const AttendedToken& token : result.tokens) {
          if (token.offsets.end < token.offsets.start) __builtin_trap();
        }
        break;
      }
      case 2:
        check_finite(model().embed({&input, 1}, {.text = text}).at(0).vector.data);
        break;
      default: {
        const Encoding encoding =
            model().tokenizer().encode(input, {.max_length = 16, .truncation = Truncation::longest_first});
        const auto methods = std::to_array({ExplainMethod::gradient_input, ExplainMethod::relevance,
                                            ExplainMethod::occlusion, ExplainMethod::norms});
        check_finite(
            model().explain(encoding, {.method = methods[(task >> 4) % methods.size()]}).scores.data);
      }
    }
  });
  return 0;
}
