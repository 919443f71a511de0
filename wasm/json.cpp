#include "json.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "options.h"

namespace headlight::wasm {

// Functions of one set with those of json.h, hence not in a nameless namespace.

// -1 stands for "none" in the engine, null in JavaScript.
struct IndexOrNull {
  std::int32_t index;
};

static void write(JsonWriter& json, IndexOrNull value) {
  if (value.index < 0) return json.null();
  json.integer(value.index);
}
static void write(JsonWriter& json, std::string_view value) { json.string(value); }
static void write(JsonWriter& json, bool value) { json.boolean(value); }
static void write(JsonWriter& json, std::floating_point auto value) {
  json.number(static_cast<double>(value));
}
static void write(JsonWriter& json, std::integral auto value) {
  json.integer(static_cast<std::int64_t>(value));
}

static void write(JsonWriter& json, const Span& span) {
  json.begin_array();
  json.integer(span.start);
  json.integer(span.end);
  json.end_array();
}

static void write(JsonWriter& json, const SentenceInfo& sentence);
static void write(JsonWriter& json, const LabelScore& label);
static void write(JsonWriter& json, const Cut& cut);
static void write(JsonWriter& json, const Entity& entity);
static void write(JsonWriter& json, const FilledMask& filled);
static void write(JsonWriter& json, const Answer& answer);
static void write(JsonWriter& json, const AttendedToken& token);

template <typename Item>
static void write(JsonWriter& json, const std::vector<Item>& items) {
  json.begin_array();
  for (const Item& item : items) write(json, item);
  json.end_array();
}

template <typename Value>
static void write(JsonWriter& json, const std::optional<Value>& value) {
  if (!value) return json.null();
  write(json, *value);
}

void write(JsonWriter& json, const std::vector<std::string>& strings) { write<std::string>(json, strings); }

// A member of an object.
template <typename Value>
static void put(JsonWriter& json, std::string_view key, const Value& value) {
  json.key(key);
  write(json, value);
}

static void put_indices(JsonWriter& json, std::string_view key, const std::vector<std::int32_t>& indices) {
  json.key(key);
  json.begin_array();
  for (const std::int32_t index : indices) write(json, IndexOrNull{index});
  json.end_array();
}

// The members of an object that refers to a tensor.
static void put_reference(JsonWriter& json, const Tensor& tensor, Tensors& tensors) {
  put(json, "$tensor", tensors.size());
  put(json, "shape", tensor.shape);
  tensors.push_back(&tensor);
}

static void write(JsonWriter& json, const Tensor& tensor, Tensors& tensors) {
  json.begin_object();
  put_reference(json, tensor, tensors);
  json.end_object();
}

// A member that is there where the tensor is.
static void put_tensor(JsonWriter& json, std::string_view key, const std::optional<Tensor>& tensor,
                       Tensors& tensors) {
  if (!tensor) return;
  json.key(key);
  write(json, *tensor, tensors);
}

static void put_tensors(JsonWriter& json, std::string_view key, const std::vector<Tensor>& list,
                        Tensors& tensors) {
  json.key(key);
  json.begin_array();
  for (const Tensor& tensor : list) write(json, tensor, tensors);
  json.end_array();
}

// A task's results under their name, and where its input was cut.
template <typename Results>
static void write_with_cuts(JsonWriter& json, const char* name, const Results& results,
                            const std::vector<Cut>& truncated) {
  json.begin_object();
  put(json, name, results);
  put(json, "truncated", truncated);
  json.end_object();
}

static void write(JsonWriter& json, const SentenceInfo& sentence) {
  json.begin_object();
  put(json, "pooling", sentence.pooling);
  put(json, "normalize", sentence.normalize);
  put(json, "includePrompt", sentence.include_prompt);
  put(json, "maxSeqLength", sentence.max_seq_length);
  json.key("prompts");
  json.begin_object();
  for (const auto& [name, prompt] : sentence.prompts) put(json, name, prompt);
  json.end_object();
  put(json, "defaultPromptName", sentence.default_prompt_name);
  put(json, "unsupported", sentence.unsupported);
  json.end_object();
}

static void write(JsonWriter& json, const LabelScore& label) {
  json.begin_object();
  put(json, "label", label.label);
  put(json, "score", label.score);
  json.end_object();
}

static void write(JsonWriter& json, const Cut& cut) {
  json.begin_object();
  put(json, "inPair", cut.in_pair);
  put(json, "start", cut.start);
  json.end_object();
}

static void write(JsonWriter& json, const Entity& entity) {
  json.begin_object();
  put(json, "entity", entity.entity);
  put(json, "score", entity.score);
  put(json, "word", entity.word);
  put(json, "start", entity.offsets.start);
  put(json, "end", entity.offsets.end);
  if (entity.index) put(json, "index", *entity.index);
  json.end_object();
}

static void write(JsonWriter& json, const FilledMask& filled) {
  json.begin_object();
  put(json, "score", filled.score);
  put(json, "token", filled.token);
  put(json, "tokenText", filled.token_text);
  put(json, "sequence", filled.sequence);
  json.end_object();
}

static void write(JsonWriter& json, const Answer& answer) {
  json.begin_object();
  put(json, "answer", answer.answer);
  put(json, "score", answer.score);
  put(json, "start", answer.offsets.start);
  put(json, "end", answer.offsets.end);
  json.end_object();
}

static void write(JsonWriter& json, const AttendedToken& token) {
  json.begin_object();
  put(json, "text", token.text);
  put(json, "id", IndexOrNull{token.id});
  put(json, "start", token.offsets.start);
  put(json, "end", token.offsets.end);
  put(json, "sequenceId", IndexOrNull{token.sequence_id});
  put(json, "wordId", IndexOrNull{token.word_id});
  json.end_object();
}

namespace {

void read_special_tokens(Options& from, bool& parse) {
  from.read("specialTokensInText", parse, {{"parse", true}, {"text", false}});
}

void read(Options& from, TokenizeOptions& options) {
  from.read("addSpecialTokens", options.add_special_tokens);
  from.read("maxLength", options.max_length, 1);
  from.read("truncation", options.truncation,
            {{Options::kFalse, Truncation::none},
             {"longest_first", Truncation::longest_first},
             {"only_first", Truncation::only_first},
             {"only_second", Truncation::only_second}});
  from.read("padding", options.pad_to_max_length, {{Options::kFalse, false}, {"maxLength", true}});
  read_special_tokens(from, options.parse_special_tokens);
}

enum class Windows { refused, allowed };

void read_text_options(Options& from, TextOptions& options, Windows windows = Windows::refused,
                       bool special_tokens = true) {
  if (windows == Windows::allowed) {
    from.read("overlong", options.overlong,
              {{"truncate", Overlong::truncate}, {"window", Overlong::window}, {"error", Overlong::error}});
    from.read("stride", options.stride);
  } else {
    from.read("overlong", options.overlong, {{"truncate", Overlong::truncate}, {"error", Overlong::error}});
  }
  from.read("maxLength", options.max_length, 1);
  if (special_tokens) read_special_tokens(from, options.parse_special_tokens);
  from.read("headMask", options.head_mask);
}

void read_query(Options& from, AttentionOptions& options) {
  const Json* query = from.find("query");
  if (!query || (query->is_string() && query->text() == "cls")) return;
  if (query->is_string() && query->text() == "all") {
    options.query = AttentionQuery::all;
  } else if (Options::is_count(*query, 0)) {
    options.query = AttentionQuery::index;
    options.query_index = static_cast<std::size_t>(query->natural());
  } else {
    Options::fail("query", R"("cls" or "all" or the index of a token)", *query);
  }
}

std::string read_text(const Json& input, const char* name) {
  const Json* text = input.find(name);
  if (!text || !text->is_string()) Options::fail(name, "a string", text ? *text : Json());
  return text->text();
}

}  // namespace

Input read_input(const Json& input) {
  if (!input.is_object()) Options::fail("input", "a string or { text, textPair }", input);
  Input read{.text = read_text(input, "text"), .text_pair = std::nullopt};
  if (input.find("textPair")) read.text_pair = read_text(input, "textPair");
  return read;
}

std::vector<Input> read_inputs(const Json& inputs) {
  std::vector<Input> read;
  for (const Json& input : inputs.items()) read.push_back(read_input(input));
  return read;
}

LoadOptions read_load_options(const Json& options) {
  Options from(options);
  LoadOptions read;
  from.read("precision", read.precision,
            {{"auto", Precision::automatic}, {"float32", Precision::float32}, {"int8", Precision::int8}});
  from.read("scalarKernels", read.scalar_kernels);
  from.read("threads", read.threads, 1);
  from.finish();
  return read;
}

TokenizeOptions read_tokenize_options(const Json& options) {
  Options from(options);
  TokenizeOptions result;
  read(from, result);
  from.read("stride", result.stride);
  from.finish();
  return result;
}

ClassifyOptions read_classify_options(const Json& options) {
  Options from(options);
  ClassifyOptions result;
  from.read("topK", result.top_k, 1);
  from.read("threshold", result.threshold);
  from.read("functionToApply", result.function,
            {{"softmax", ScoreFunction::softmax},
             {"sigmoid", ScoreFunction::sigmoid},
             {"none", ScoreFunction::none}});
  read_text_options(from, result.text, Windows::allowed);
  from.finish();
  return result;
}

EntityOptions read_entity_options(const Json& options) {
  Options from(options);
  EntityOptions result;
  from.read("aggregation", result.aggregation,
            {{"none", Aggregation::none},
             {"simple", Aggregation::simple},
             {"first", Aggregation::first},
             {"average", Aggregation::average},
             {"max", Aggregation::max},
             {"word", Aggregation::word}});
  from.read("ignoreLabels", result.ignore_labels);
  read_text_options(from, result.text, Windows::allowed);
  from.finish();
  return result;
}

FillMaskOptions read_fill_mask_options(const Json& options) {
  Options from(options);
  FillMaskOptions result;
  from.read("topK", result.top_k, 1);
  if (const Json* targets = from.find("targets");
      targets && targets->is_array() && targets->items().empty()) {
    Options::fail("targets", "a list of words, at least one", *targets);
  }
  from.read("targets", result.targets);
  read_text_options(from, result.text, Windows::refused, /*special_tokens=*/false);
  from.finish();
  return result;
}

AnswerOptions read_answer_options(const Json& options) {
  Options from(options);
  AnswerOptions result;
  from.read("topK", result.top_k, 1);
  from.read("maxAnswerLength", result.max_answer_length, 1);
  from.read("allowNoAnswer", result.allow_no_answer);
  from.read("alignToWords", result.align_to_words);
  read_text_options(from, result.text, Windows::allowed);
  from.finish();
  return result;
}

EmbedOptions read_embed_options(const Json& options) {
  Options from(options);
  EmbedOptions result;
  if (from.find("pooling")) {
    from.read(
        "pooling", result.pooling.emplace(),
        {{"mean", Pooling::mean}, {"cls", Pooling::cls}, {"max", Pooling::max}, {"none", Pooling::none}});
  }
  from.read("layer", result.layer);
  from.read("normalize", result.normalize);
  from.read("prompt", result.prompt);
  from.read("promptName", result.prompt_name);
  from.read("taskTypeId", result.task_type_id);
  read_text_options(from, result.text);
  from.finish();
  return result;
}

TextOptions read_next_sentence_options(const Json& options) {
  Options from(options);
  TextOptions result;
  read_text_options(from, result);
  from.finish();
  return result;
}

RankOptions read_rank_options(const Json& options) {
  Options from(options);
  RankOptions result;
  from.read("topK", result.top_k, 1);
  read_text_options(from, result.text);
  from.finish();
  return result;
}

ZeroShotCall read_zero_shot_options(const Json& options) {
  Options from(options);
  ZeroShotCall call;
  from.read("labels", call.labels);
  from.read("hypothesisTemplate", call.options.hypothesis_template);
  from.read("multiLabel", call.options.multi_label);
  read_text_options(from, call.options.text);
  from.finish();
  return call;
}

AttentionOptions read_attention_options(const Json& options) {
  Options from(options);
  AttentionOptions result;
  read_query(from, result);
  from.read("layers", result.layers);
  from.read("heads", result.heads);
  from.read("reduceHeads", result.reduce_heads,
            {{"none", HeadReduction::none}, {"mean", HeadReduction::mean}, {"max", HeadReduction::max}});
  from.read("reduceLayers", result.reduce_layers,
            {{"none", LayerReduction::none}, {"mean", LayerReduction::mean}, {"max", LayerReduction::max}});
  from.read("scale", result.scale,
            {{"none", AttentionScale::none},
             {"minmax-heads", AttentionScale::minmax_heads},
             {"sum", AttentionScale::sum}});
  from.read("specialTokens", result.special_tokens);
  from.read("words", result.words);
  read_text_options(from, result.text);
  from.finish();
  return result;
}

ForwardCall read_forward_options(const Json& options) {
  Options from(options);
  ForwardCall call;
  read(from, call.tokenize);
  ForwardOptions& forward = call.forward;
  from.read("logits", forward.logits);
  from.read("lastHiddenState", forward.last_hidden_state);
  from.read("poolerOutput", forward.pooler_output);
  from.read("hiddenStates", forward.hidden_states);
  from.read("attentions", forward.attentions);
  from.read("queriesKeysValues", forward.queries_keys_values);
  from.read("layers", forward.layers);
  from.read("heads", forward.heads);
  from.read("compactAttentions", forward.compact_attentions);
  from.read("globalTokens", forward.global_tokens);
  from.read("taskTypeId", forward.task_type_id);
  from.read("headMask", forward.head_mask);
  from.finish();
  return call;
}

// A label by its index or its name, of a masked language model a token by its id or its text.
static std::optional<std::size_t> read_label(Options& from, const Model& model) {
  std::optional<std::size_t> label;
  const Json* given = from.find("label");
  if (!given || !given->is_string()) {
    from.read("label", label);
    return label;
  }
  const std::string& name = given->text();
  const std::vector<std::string>& labels = model.info().labels;
  const auto found = std::find(labels.begin(), labels.end(), name);
  if (found != labels.end()) return static_cast<std::size_t>(found - labels.begin());
  const auto id = labels.empty() ? model.tokenizer().token_to_id(name) : std::nullopt;
  if (!id) Options::fail("label", "one of the model's", *given);
  return static_cast<std::size_t>(*id);
}

ExplainCall read_explain_options(const Json& options, const Model& model) {
  Options from(options);
  ExplainCall call;
  ExplainOptions& explain = call.explain;
  from.read("method", explain.method,
            {{"gradient-input", ExplainMethod::gradient_input},
             {"integrated-gradients", ExplainMethod::integrated_gradients},
             {"relevance", ExplainMethod::relevance},
             {"rollout", ExplainMethod::rollout},
             {"flow", ExplainMethod::flow},
             {"norms", ExplainMethod::norms},
             {"head-importance", ExplainMethod::head_importance},
             {"occlusion", ExplainMethod::occlusion},
             {"value-zeroing", ExplainMethod::value_zeroing}});
  if (const Json* target = from.find("target")) {
    if (!target->is_object()) Options::fail("target", "an object", *target);
    Options of_target(*target);
    explain.target.label = read_label(of_target, model);
    of_target.read("token", explain.target.token);
    of_target.read("position", explain.target.end, {{"start", false}, {"end", true}});
    of_target.finish();
  }
  from.read("steps", explain.steps, 1);
  from.read("baseline", explain.baseline, {{"zero", Baseline::zero}, {"padding", Baseline::padding}});
  from.read("occlude", explain.remove, {{"mask", false}, {"remove", true}});
  from.read("words", explain.words);
  from.read("details", explain.details);
  from.read("attentionGradients", explain.attention_gradients);
  from.read("globalTokens", explain.global_tokens);
  from.read("taskTypeId", explain.task_type_id);
  read_text_options(from, call.text);
  explain.head_mask = call.text.head_mask;
  from.finish();
  return call;
}

void write(JsonWriter& json, const Error& error) {
  json.begin_object();
  put(json, "code", error.code_name());
  put(json, "message", error.message());
  put(json, "advice", error.advice());
  const ErrorPlace& place = error.place();
  if (!place.file.empty()) put(json, "file", place.file);
  if (!place.tensor.empty()) put(json, "tensor", place.tensor);
  if (place.offset) put(json, "offset", *place.offset);
  json.end_object();
}

void write(JsonWriter& json, const ModelInfo& info) {
  json.begin_object();
  put(json, "family", info.family);
  put(json, "architecture", info.architecture);
  put(json, "dtype", info.dtype);
  put(json, "storedDtype", info.stored_dtype);
  put(json, "numHiddenLayers", info.num_hidden_layers);
  put(json, "numAttentionHeads", info.num_attention_heads);
  put(json, "prunedHeads", info.pruned_heads);
  put(json, "hiddenSize", info.hidden_size);
  put(json, "intermediateSize", info.intermediate_size);
  put(json, "vocabSize", info.vocab_size);
  put(json, "maxLength", info.max_length);
  put(json, "parameters", info.parameters);
  put(json, "weightBytes", info.weight_bytes);
  put(json, "problemType", info.problem_type);
  put(json, "labels", info.labels);
  put(json, "maskToken", info.mask_token);
  put(json, "tasks", info.tasks);
  put(json, "sentence", info.sentence);
  put(json, "ignored", info.ignored);
  json.end_object();
}

void write(JsonWriter& json, const Encoding& encoding) {
  json.begin_object();
  put(json, "ids", encoding.ids);
  put(json, "tokens", encoding.tokens);
  put(json, "offsets", encoding.offsets);
  put(json, "codePointOffsets", encoding.code_point_offsets);
  put_indices(json, "wordIds", encoding.word_ids);
  put_indices(json, "sequenceIds", encoding.sequence_ids);
  put(json, "typeIds", encoding.type_ids);
  put(json, "attentionMask", encoding.attention_mask);
  put(json, "specialTokensMask", encoding.special_tokens_mask);
  put(json, "overflow", encoding.overflow);
  json.end_object();
}

void write(JsonWriter& json, const ForwardResult& result, Tensors& tensors) {
  json.begin_object();
  const auto add = [&](const char* name, const std::optional<Tensor>& tensor) {
    put_tensor(json, name, tensor, tensors);
  };
  const auto add_list = [&](const char* name, const std::vector<Tensor>& layers) {
    if (!layers.empty()) put_tensors(json, name, layers, tensors);
  };
  add("logits", result.logits);
  add("startLogits", result.start_logits);
  add("endLogits", result.end_logits);
  add("lastHiddenState", result.last_hidden_state);
  add("poolerOutput", result.pooler_output);
  add("hiddenStates", result.hidden_states);
  add_list("attentions", result.attentions);
  if (!result.compact_attentions.empty()) {
    json.key("compactAttentions");
    json.begin_array();
    for (const CompactAttention& layer : result.compact_attentions) {
      json.begin_object();
      put(json, "firstRange", layer.first_range);
      put(json, "ranges", layer.ranges);
      put(json, "firstWeight", layer.first_weight);
      json.key("weights");
      write(json, layer.weights, tensors);
      json.end_object();
    }
    json.end_array();
  }
  add_list("queries", result.queries);
  add_list("keys", result.keys);
  add_list("values", result.values);
  json.end_object();
}

void write(JsonWriter& json, const Classification& result, Tensors&) {
  write_with_cuts(json, "labels", result.labels, result.truncated);
}

void write(JsonWriter& json, const Entities& result, Tensors&) {
  write_with_cuts(json, "entities", result.entities, result.truncated);
}

void write(JsonWriter& json, const FilledMasks& result, Tensors&) {
  write_with_cuts(json, "masks", result.masks, result.truncated);
}

void write(JsonWriter& json, const Answers& result, Tensors&) {
  write_with_cuts(json, "answers", result.answers, result.truncated);
}

void write(JsonWriter& json, const Embedding& result, Tensors& tensors) {
  json.begin_object();
  put_reference(json, result.vector, tensors);
  put(json, "truncated", result.truncated);
  json.end_object();
}

void write(JsonWriter& json, const NextSentence& result, Tensors&) {
  json.begin_object();
  put(json, "isNext", result.is_next);
  put(json, "score", result.score);
  put(json, "truncated", result.truncated);
  json.end_object();
}

void write(JsonWriter& json, const Ranked& result, Tensors&) {
  json.begin_object();
  put(json, "index", result.index);
  put(json, "score", result.score);
  json.end_object();
}

void write(JsonWriter& json, const AttentionResult& result, Tensors& tensors) {
  json.begin_object();
  put(json, "tokens", result.tokens);
  put(json, "words", result.words);
  put(json, "keys", result.keys);
  json.key("weights");
  json.begin_object();
  put_reference(json, result.weights, tensors);
  put(json, "axes", result.axes);
  json.end_object();
  json.key("specialShare");
  json.begin_array();
  for (const auto& [index, share] : result.special_share) {
    json.begin_object();
    put(json, "index", index);
    put(json, "share", share);
    json.end_object();
  }
  json.end_array();
  put(json, "truncated", result.truncated);
  put(json, "labels", result.labels);
  json.end_object();
}

// The method is the caller's to name.
void write(JsonWriter& json, const ExplainReply& result, Tensors& tensors) {
  const auto& [explanation, tokens, words, truncated] = result;
  json.begin_object();
  json.key("target");
  json.begin_object();
  if (explanation.target.label) put(json, "label", *explanation.target.label);
  if (explanation.target.token) put(json, "token", *explanation.target.token);
  if (explanation.target.end) put(json, "position", std::string_view("end"));
  json.end_object();
  json.key("scores");
  write(json, explanation.scores, tensors);
  put_tensor(json, "probabilityScores", explanation.probability_scores, tensors);
  put_tensor(json, "logits", explanation.logits, tensors);
  if (explanation.logits) {
    put(json, "targetLogit", explanation.target_logit);
    put(json, "probability", explanation.probability);
  }
  json.key("check");
  json.begin_object();
  if (explanation.forward_distance) put(json, "forwardDistance", *explanation.forward_distance);
  if (explanation.completeness) {
    json.key("completeness");
    json.begin_object();
    put(json, "baseline", explanation.completeness->baseline);
    put(json, "sum", explanation.completeness->sum);
    put(json, "error", explanation.completeness->error);
    json.end_object();
  }
  json.end_object();
  put_tensors(json, "details", explanation.details, tensors);
  put_tensors(json, "attentionGradients", explanation.attention_gradients, tensors);
  put(json, "tokens", tokens);
  put(json, "words", words);
  put(json, "truncated", truncated);
  json.end_object();
}

}  // namespace headlight::wasm
