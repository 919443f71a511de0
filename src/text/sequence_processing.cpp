#include "text/sequence_processing.h"

#include <algorithm>

namespace headlight {

namespace {

// A template gives token types even where it adds nothing; spans are all that others touch then.
bool adds_tokens(const PostProcessor& processor) {
  const auto is_special = [](const TemplatePart& part) { return part.kind == TemplatePart::Kind::special; };
  return std::ranges::any_of(processor.layout(false), is_special) ||
         std::ranges::any_of(processor.layout(true), is_special);
}

}  // namespace

SequenceProcessing::SequenceProcessing(std::vector<std::unique_ptr<PostProcessor>> processors)
    : processors_(std::move(processors)) {
  for (std::size_t i = 0; i < processors_.size(); ++i) {
    if (adds_tokens(*processors_[i])) layout_ = i;
  }
}

std::size_t SequenceProcessing::adding(const std::vector<std::unique_ptr<PostProcessor>>& processors) {
  return static_cast<std::size_t>(
      std::ranges::count_if(processors, [](const auto& processor) { return adds_tokens(*processor); }));
}

const Template& SequenceProcessing::layout(bool pair) const { return processors_[layout_]->layout(pair); }

Span SequenceProcessing::trimmed(std::string_view token, Span span, bool first) const {
  for (std::size_t i = 0; i < processors_.size(); ++i) {
    span = processors_[i]->trimmed(token, span, first);
    // What comes later sees special tokens first.
    if (adds_tokens(*processors_[i])) first = false;
  }
  return span;
}

}  // namespace headlight
