#include "tasks/embed.h"

#include <algorithm>
#include <utility>

#include "model/forward.h"
#include "tasks/encode.h"
#include "tasks/grouped_task.h"
#include "tasks/pooling.h"
#include "throw_error.h"

namespace headlight {
namespace {

std::vector<std::string> poolings_of(const ModelInfo& info, const EmbedOptions& options) {
  if (options.pooling) {
    constexpr const char* kNames[] = {"mean", "cls", "max", "none"};
    return {kNames[static_cast<std::size_t>(*options.pooling)]};
  }
  if (!info.sentence) return {"mean"};
  if (!info.sentence->unsupported.empty()) {
    throw_error(ErrorCode::E_UNSUPPORTED_OPTION,
                {"The folder's vectors need ", info.sentence->unsupported.front(),
                 ", which is not computed; with a pooling given, vectors without it can be had"});
  }
  return info.sentence->pooling.empty() ? std::vector<std::string>{"mean"} : info.sentence->pooling;
}

std::string prompt_of(const ModelInfo& info, const EmbedOptions& options) {
  if (options.prompt) return *options.prompt;
  const std::string name =
      options.prompt_name.value_or(info.sentence ? info.sentence->default_prompt_name : "");
  if (name.empty()) return {};
  if (info.sentence) {
    for (const auto& [known, prompt] : info.sentence->prompts) {
      if (known == name) return prompt;
    }
  }
  throw_error(ErrorCode::E_INVALID_ARGUMENT, {"The folder has no prompt \"", name, "\""});
}

class EmbedTask final : public GroupedTask<Embedding> {
 public:
  EmbedTask(const Model& model, std::span<const Input> inputs, const EmbedOptions& options)
      : GroupedTask(model, inputs, options.text),
        poolings_(poolings_of(model.info(), options)),
        layer_(model.info().num_hidden_layers),
        normalize_(options.normalize.value_or(model.info().sentence && model.info().sentence->normalize)),
        prompt_(prompt_of(model.info(), options)),
        task_type_id_(options.task_type_id) {
    if (options.layer) layer_ = resolve_indices({&*options.layer, 1}, layer_ + 1, "hidden state").front();
    if (!prompt_.empty() && model.info().sentence && !model.info().sentence->include_prompt) {
      const Encoding prompt = model.tokenizer().encode({prompt_});
      // Special tokens before the prompt go with it, those after it do not.
      for (std::size_t i = 0; i < prompt.size(); ++i) {
        if (prompt.special_tokens_mask[i] == 0) skipped_ = i + 1;
      }
    }
    start();
  }

 private:
  std::vector<Encoding> encode(std::size_t input) override {
    Input prompted = inputs()[input];
    prompted.text.insert(0, prompt_);
    FittedEncoding fitted = fit_in_place_of(input, prompted);
    truncated(input) = std::move(fitted.truncated);
    // Counted in the text that was given.
    for (Cut& cut : truncated(input)) {
      if (!cut.in_pair) cut.start -= std::min(cut.start, utf16_size(prompt_));
    }
    return passages_of(std::move(fitted.encoding));
  }

  static std::uint32_t utf16_size(std::string_view text) {
    std::uint32_t size = 0;
    for (const char byte : text) {
      const auto value = static_cast<unsigned char>(byte);
      size += value >= 0xF0 ? 2 : (value & 0xC0) != 0x80;
    }
    return size;
  }

  bool last() const { return layer_ == model().info().num_hidden_layers; }

  ForwardOptions forward_options(std::size_t) const override {
    return {.logits = false,
            .last_hidden_state = last(),
            .hidden_states = !last(),
            .task_type_id = task_type_id_};
  }

  Embedding make_result(std::size_t input, std::vector<ForwardResult> passages) override {
    ForwardResult& forward = passages.front();
    const std::size_t size = model().info().hidden_size;
    Tensor states = last() ? std::move(*forward.last_hidden_state) : state(*forward.hidden_states);
    Embedding result{{}, std::move(truncated(input))};
    if (poolings_.front() == "none") {
      result.vector = std::move(states);
    } else {
      for (const std::string& mode : poolings_) pool(mode, states.data, size, skipped_, result.vector.data);
      result.vector.shape = {result.vector.data.size()};
    }
    const std::size_t width = result.vector.shape.back();
    for (std::size_t i = 0; normalize_ && i < result.vector.data.size(); i += width) {
      normalize(std::span(result.vector.data).subspan(i, width));
    }
    return result;
  }

  // all [num_hidden_layers + 1, n, hidden_size] -> [n, hidden_size]
  Tensor state(const Tensor& all) const {
    const std::size_t size = all.shape[1] * all.shape[2];
    const auto begin = all.data.begin() + static_cast<std::ptrdiff_t>(layer_ * size);
    return {{begin, begin + static_cast<std::ptrdiff_t>(size)}, {all.shape[1], all.shape[2]}};
  }

  std::vector<std::string> poolings_;
  std::size_t layer_;
  bool normalize_;
  std::string prompt_;
  std::size_t task_type_id_;
  std::size_t skipped_ = 0;  // tokens that the pooling leaves out
};

}  // namespace

std::unique_ptr<Task<Embedding>> begin_embed(const Model& model, std::span<const Input> inputs,
                                             const EmbedOptions& options) {
  refuse_windows(options.text, "embed");
  return std::make_unique<EmbedTask>(model, inputs, options);
}

}  // namespace headlight
