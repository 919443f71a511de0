// Options and results of the engine as JSON, as the JavaScript face names them (web/src/types.ts).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "headlight.h"

namespace headlight::wasm {

using Json = nlohmann::json;

// Tensors that a reply refers to by {"$tensor": index, "shape": [...]}: their data are not put into JSON.
using Tensors = std::vector<const Tensor*>;

// Readers throw E_INVALID_ARGUMENT and name the option. null counts as not given.
Input read_input(const Json& input);  // {text, textPair?}
std::vector<Input> read_inputs(const Json& inputs);
LoadOptions read_load_options(const Json& options);
TokenizeOptions read_tokenize_options(const Json& options);
ClassifyOptions read_classify_options(const Json& options);
AttentionOptions read_attention_options(const Json& options);
EntityOptions read_entity_options(const Json& options);
FillMaskOptions read_fill_mask_options(const Json& options);
AnswerOptions read_answer_options(const Json& options);
EmbedOptions read_embed_options(const Json& options);
TextOptions read_next_sentence_options(const Json& options);
RankOptions read_rank_options(const Json& options);

// `zeroShot` takes the labels among its options.
struct ZeroShotCall {
  std::vector<std::string> labels;
  ZeroShotOptions options;
};
ZeroShotCall read_zero_shot_options(const Json& options);

// `forward` takes the options of tokenization, too.
struct ForwardCall {
  TokenizeOptions tokenize;
  ForwardOptions forward;
};
ForwardCall read_forward_options(const Json& options);

// `explain` takes how the text is read, too. A target's label may be named.
struct ExplainCall {
  TextOptions text;
  ExplainOptions explain;
};
ExplainCall read_explain_options(const Json& options, const Model& model);

Json to_json(const Error& error);
Json to_json(const ModelInfo& info);
Json to_json(const Encoding& encoding);
Json to_json(const ForwardResult& result, Tensors& tensors);
Json to_json(const Classification& result, Tensors& tensors);
Json to_json(const AttentionResult& result, Tensors& tensors);
Json to_json(const Entities& result, Tensors& tensors);
Json to_json(const FilledMasks& result, Tensors& tensors);
Json to_json(const Answers& result, Tensors& tensors);
Json to_json(const Embedding& result, Tensors& tensors);
Json to_json(const NextSentence& result, Tensors& tensors);
Json to_json(const Ranked& result, Tensors& tensors);
Json to_json(const Explanation& result, Tensors& tensors);
Json to_json(const std::vector<AttendedToken>& tokens);
Json to_json(const std::vector<Cut>& truncated);

}  // namespace headlight::wasm
