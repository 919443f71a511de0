#include "json.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "options.h"

namespace headlight::wasm {

namespace {

// Members of an object. One function for each kind of value: written out at each place, a member is several times as long.
void put(Json& object, const char* key, Json&& value) { object[key] = std::move(value); }
void put_number(Json& object, const char* key, double value) { put(object, key, value); }
void put_integer(Json& object, const char* key, std::int64_t value) { put(object, key, value); }
void put(Json& object, const char* key, const std::string& value) { put(object, key, Json(value)); }
void put(Json& object, const char* key, std::string_view value) { put(object, key, Json(value)); }
void put(Json& object, const char* key, bool value) { put(object, key, Json(value)); }
void put(Json& object, const char* key, std::floating_point auto value) {
  put_number(object, key, static_cast<double>(value));
}
void put(Json& object, const char* key, std::integral auto value) {
  put_integer(object, key, static_cast<std::int64_t>(value));
}
template <typename Item>
void put(Json& object, const char* key, const std::vector<Item>& values) {
  put(object, key, Json(values));
}

// -1 stands for "none" in the engine, null in JavaScript.
Json index_or_null(std::int32_t index) { return index < 0 ? Json(nullptr) : Json(index); }

Json indices_or_null(const std::vector<std::int32_t>& indices) {
  Json list = Json::array();
  for (const std::int32_t index : indices) list.push_back(index_or_null(index));
  return list;
}

}  // namespace

// Overloads of one set with those of json.h, hence not in the nameless namespace.
static Json to_json(const Span& span) { return Json::array({span.start, span.end}); }

static Json to_json(const SentenceInfo& sentence) {
  Json json;
  put(json, "pooling", sentence.pooling);
  put(json, "normalize", sentence.normalize);
  put(json, "includePrompt", sentence.include_prompt);
  put(json, "maxSeqLength", sentence.max_seq_length ? Json(*sentence.max_seq_length) : Json(nullptr));
  put(json, "prompts", Json::object());
  for (const auto& [name, prompt] : sentence.prompts) json["prompts"][name] = prompt;
  put(json, "defaultPromptName", sentence.default_prompt_name);
  put(json, "unsupported", sentence.unsupported);
  return json;
}

static Json to_json(const LabelScore& label) {
  Json json;
  put(json, "label", label.label);
  put(json, "score", label.score);
  return json;
}

static Json to_json(const Cut& cut) {
  Json json;
  put(json, "inPair", cut.in_pair);
  put(json, "start", cut.start);
  return json;
}

static Json to_json(const Entity& entity) {
  Json json;
  put(json, "entity", entity.entity);
  put(json, "score", entity.score);
  put(json, "word", entity.word);
  put(json, "start", entity.offsets.start);
  put(json, "end", entity.offsets.end);
  if (entity.index) put(json, "index", *entity.index);
  return json;
}

static Json to_json(const FilledMask& filled) {
  Json json;
  put(json, "score", filled.score);
  put(json, "token", filled.token);
  put(json, "tokenText", filled.token_text);
  put(json, "sequence", filled.sequence);
  return json;
}

static Json to_json(const Answer& answer) {
  Json json;
  put(json, "answer", answer.answer);
  put(json, "score", answer.score);
  put(json, "start", answer.offsets.start);
  put(json, "end", answer.offsets.end);
  return json;
}

static Json to_json(const AttendedToken& token) {
  Json json;
  put(json, "text", token.text);
  put(json, "id", index_or_null(token.id));
  put(json, "start", token.offsets.start);
  put(json, "end", token.offsets.end);
  put(json, "sequenceId", index_or_null(token.sequence_id));
  put(json, "wordId", index_or_null(token.word_id));
  return json;
}

namespace {

template <typename Item>
Json list(const std::vector<Item>& items) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(to_json(item));
  return list;
}

// A task's results under their name, and where its input was cut.
Json with_cuts(const char* name, Json results, const std::vector<Cut>& truncated) {
  Json json;
  put(json, name, std::move(results));
  put(json, "truncated", list(truncated));
  return json;
}

Json refer(const Tensor& tensor, Tensors& tensors) {
  tensors.push_back(&tensor);
  Json json;
  put(json, "$tensor", tensors.size() - 1);
  put(json, "shape", tensor.shape);
  return json;
}

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
}

void read_query(Options& from, AttentionOptions& options) {
  const Json* query = from.find("query");
  if (!query || *query == "cls") return;
  if (*query == "all") {
    options.query = AttentionQuery::all;
  } else if (Options::is_count(*query, 0)) {
    options.query = AttentionQuery::index;
    options.query_index = query->get<std::size_t>();
  } else {
    Options::fail("query", R"("cls" or "all" or the index of a token)", *query);
  }
}

std::string read_text(const Json& input, const char* name) {
  const auto text = input.find(name);
  if (text == input.end() || !text->is_string())
    Options::fail(name, "a string", text == input.end() ? Json() : *text);
  return text->get<std::string>();
}

}  // namespace

Input read_input(const Json& input) {
  if (!input.is_object()) Options::fail("input", "a string or { text, textPair }", input);
  Input read{.text = read_text(input, "text"), .text_pair = std::nullopt};
  if (input.contains("textPair")) read.text_pair = read_text(input, "textPair");
  return read;
}

std::vector<Input> read_inputs(const Json& inputs) {
  std::vector<Input> read;
  for (const Json& input : inputs) read.push_back(read_input(input));
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
  if (const Json* targets = from.find("targets"); targets && targets->is_array() && targets->empty()) {
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
  const std::string& name = given->get_ref<const std::string&>();
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
  from.read("headMask", explain.head_mask);
  from.read("globalTokens", explain.global_tokens);
  from.read("taskTypeId", explain.task_type_id);
  read_text_options(from, call.text);
  from.finish();
  return call;
}

Json to_json(const Error& error) {
  Json json;
  put(json, "code", error.code_name());
  put(json, "message", error.message());
  put(json, "advice", error.advice());
  const ErrorPlace& place = error.place();
  if (!place.file.empty()) put(json, "file", place.file);
  if (!place.tensor.empty()) put(json, "tensor", place.tensor);
  if (place.offset) put(json, "offset", *place.offset);
  return json;
}

Json to_json(const ModelInfo& info) {
  Json json;
  put(json, "family", info.family);
  put(json, "architecture", info.architecture);
  put(json, "dtype", info.dtype);
  put(json, "storedDtype", info.stored_dtype);
  put(json, "numHiddenLayers", info.num_hidden_layers);
  put(json, "numAttentionHeads", info.num_attention_heads);
  put(json, "hiddenSize", info.hidden_size);
  put(json, "intermediateSize", info.intermediate_size);
  put(json, "vocabSize", info.vocab_size);
  put(json, "maxLength", info.max_length);
  put(json, "parameters", info.parameters);
  put(json, "weightBytes", info.weight_bytes);
  put(json, "problemType", info.problem_type);
  put(json, "labels", info.labels);
  put(json, "maskToken", info.mask_token ? Json(*info.mask_token) : Json(nullptr));
  put(json, "tasks", info.tasks);
  put(json, "sentence", info.sentence ? to_json(*info.sentence) : Json(nullptr));
  put(json, "ignored", info.ignored);
  return json;
}

Json to_json(const Encoding& encoding) {
  Json json;
  put(json, "ids", encoding.ids);
  put(json, "tokens", encoding.tokens);
  put(json, "offsets", list(encoding.offsets));
  put(json, "codePointOffsets", list(encoding.code_point_offsets));
  put(json, "wordIds", indices_or_null(encoding.word_ids));
  put(json, "sequenceIds", indices_or_null(encoding.sequence_ids));
  put(json, "typeIds", encoding.type_ids);
  put(json, "attentionMask", encoding.attention_mask);
  put(json, "specialTokensMask", encoding.special_tokens_mask);
  put(json, "overflow", list(encoding.overflow));
  return json;
}

Json to_json(const ForwardResult& result, Tensors& tensors) {
  Json json = Json::object();
  const auto add = [&](const char* name, const std::optional<Tensor>& tensor) {
    if (tensor) put(json, name, refer(*tensor, tensors));
  };
  const auto add_list = [&](const char* name, const std::vector<Tensor>& layers) {
    for (const Tensor& layer : layers) json[name].push_back(refer(layer, tensors));
  };
  add("logits", result.logits);
  add("startLogits", result.start_logits);
  add("endLogits", result.end_logits);
  add("lastHiddenState", result.last_hidden_state);
  add("poolerOutput", result.pooler_output);
  add("hiddenStates", result.hidden_states);
  add_list("attentions", result.attentions);
  for (const CompactAttention& layer : result.compact_attentions) {
    Json& entry = json["compactAttentions"].emplace_back();
    put(entry, "firstRange", layer.first_range);
    put(entry, "ranges", list(layer.ranges));
    put(entry, "firstWeight", layer.first_weight);
    put(entry, "weights", refer(layer.weights, tensors));
  }
  add_list("queries", result.queries);
  add_list("keys", result.keys);
  add_list("values", result.values);
  return json;
}

Json to_json(const Classification& result, Tensors&) {
  return with_cuts("labels", list(result.labels), result.truncated);
}

Json to_json(const Entities& result, Tensors&) {
  return with_cuts("entities", list(result.entities), result.truncated);
}

Json to_json(const FilledMasks& result, Tensors&) {
  Json masks;
  for (const std::vector<FilledMask>& mask : result.masks) masks.push_back(list(mask));
  return with_cuts("masks", std::move(masks), result.truncated);
}

Json to_json(const Answers& result, Tensors&) {
  return with_cuts("answers", list(result.answers), result.truncated);
}

Json to_json(const Embedding& result, Tensors& tensors) {
  Json json = refer(result.vector, tensors);
  put(json, "truncated", list(result.truncated));
  return json;
}

Json to_json(const NextSentence& result, Tensors&) {
  Json json;
  put(json, "isNext", result.is_next);
  put(json, "score", result.score);
  put(json, "truncated", list(result.truncated));
  return json;
}

Json to_json(const Ranked& result, Tensors&) {
  Json json;
  put(json, "index", result.index);
  put(json, "score", result.score);
  return json;
}

Json to_json(const AttentionResult& result, Tensors& tensors) {
  Json weights = refer(result.weights, tensors);
  put(weights, "axes", result.axes);
  Json special_share = Json::array();
  for (const auto& [index, share] : result.special_share) {
    Json& entry = special_share.emplace_back();
    put(entry, "index", index);
    put(entry, "share", share);
  }
  Json json;
  put(json, "tokens", list(result.tokens));
  put(json, "words", list(result.words));
  put(json, "keys", result.keys);
  put(json, "weights", std::move(weights));
  put(json, "specialShare", std::move(special_share));
  put(json, "truncated", list(result.truncated));
  put(json, "labels", list(result.labels));
  return json;
}

Json to_json(const std::vector<AttendedToken>& tokens) { return list(tokens); }
Json to_json(const std::vector<Cut>& truncated) { return list(truncated); }

// The method is the caller's to name.
Json to_json(const Explanation& result, Tensors& tensors) {
  Json json, target = Json::object(), check = Json::object();
  if (result.target.label) put(target, "label", *result.target.label);
  if (result.target.token) put(target, "token", *result.target.token);
  if (result.target.end) put(target, "position", std::string_view("end"));
  put(json, "target", std::move(target));
  put(json, "scores", refer(result.scores, tensors));
  if (result.probability_scores) put(json, "probabilityScores", refer(*result.probability_scores, tensors));
  if (result.logits) {
    put(json, "logits", refer(*result.logits, tensors));
    put(json, "targetLogit", result.target_logit);
    put(json, "probability", result.probability);
  }
  if (result.forward_distance) put(check, "forwardDistance", *result.forward_distance);
  if (result.completeness) {
    Json completeness;
    put(completeness, "baseline", result.completeness->baseline);
    put(completeness, "sum", result.completeness->sum);
    put(completeness, "error", result.completeness->error);
    put(check, "completeness", std::move(completeness));
  }
  put(json, "check", std::move(check));
  put(json, "details", Json::array());
  put(json, "attentionGradients", Json::array());
  for (const Tensor& tensor : result.details) json["details"].push_back(refer(tensor, tensors));
  for (const Tensor& tensor : result.attention_gradients) {
    json["attentionGradients"].push_back(refer(tensor, tensors));
  }
  return json;
}

}  // namespace headlight::wasm
