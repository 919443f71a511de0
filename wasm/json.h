// Options and results of the engine as JSON, as the JavaScript face names them (web/src/types.ts).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headlight.h"
#include "json_text.h"

namespace headlight::wasm {

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

// An explanation, and the tokens and words that it is of.
struct ExplainReply {
  Explanation explanation;
  std::vector<AttendedToken> tokens, words;
  std::vector<Cut> truncated;
};

void write(JsonWriter& json, const std::vector<std::string>& strings);
void write(JsonWriter& json, const Error& error);
void write(JsonWriter& json, const ModelInfo& info);
void write(JsonWriter& json, const Encoding& encoding);
void write(JsonWriter& json, const ForwardResult& result, Tensors& tensors);
void write(JsonWriter& json, const Classification& result, Tensors& tensors);
void write(JsonWriter& json, const AttentionResult& result, Tensors& tensors);
void write(JsonWriter& json, const Entities& result, Tensors& tensors);
void write(JsonWriter& json, const FilledMasks& result, Tensors& tensors);
void write(JsonWriter& json, const Answers& result, Tensors& tensors);
void write(JsonWriter& json, const Embedding& result, Tensors& tensors);
void write(JsonWriter& json, const NextSentence& result, Tensors& tensors);
void write(JsonWriter& json, const Ranked& result, Tensors& tensors);
void write(JsonWriter& json, const ExplainReply& result, Tensors& tensors);

}  // namespace headlight::wasm
