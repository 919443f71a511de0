#include "json.h"

#include <optional>
#include <utility>

#include "options.h"

namespace headlight::wasm {

namespace {

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

static Json to_json(const LabelScore& label) { return {{"label", label.label}, {"score", label.score}}; }

static Json to_json(const Cut& cut) { return {{"inPair", cut.in_pair}, {"start", cut.start}}; }

static Json to_json(const AttendedToken& token) {
  return {{"text", token.text},
          {"id", index_or_null(token.id)},
          {"start", token.offsets.start},
          {"end", token.offsets.end},
          {"sequenceId", index_or_null(token.sequence_id)},
          {"wordId", index_or_null(token.word_id)}};
}

namespace {

template <typename Item>
Json list(const std::vector<Item>& items) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(to_json(item));
  return list;
}

Json refer(const Tensor& tensor, Tensors& tensors) {
  tensors.push_back(&tensor);
  return {{"$tensor", tensors.size() - 1}, {"shape", tensor.shape}};
}

void read(Options& from, TokenizeOptions& options) {
  from.read("addSpecialTokens", options.add_special_tokens);
  from.read("maxLength", options.max_length, 1);
  from.read("truncation", options.truncation,
            {{false, Truncation::none},
             {"longest_first", Truncation::longest_first},
             {"only_first", Truncation::only_first},
             {"only_second", Truncation::only_second}});
  from.read("padding", options.pad_to_max_length, {{false, false}, {"maxLength", true}});
  from.read("specialTokensInText", options.parse_special_tokens, {{"parse", true}, {"text", false}});
}

void read(Options& from, Overlong& overlong) {
  from.read("overlong", overlong, {{"truncate", Overlong::truncate}, {"error", Overlong::error}});
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
  if (text == input.end() || !text->is_string()) Options::fail(name, "a string", text == input.end() ? Json() : *text);
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
  read(from, result.overlong);
  from.finish();
  return result;
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
  read(from, result.overlong);
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
  from.finish();
  return call;
}

Json to_json(const Error& error) {
  Json json = {{"code", error.code_name()}, {"message", error.message()}, {"advice", error.advice()}};
  const ErrorPlace& place = error.place();
  if (!place.file.empty()) json["file"] = place.file;
  if (!place.tensor.empty()) json["tensor"] = place.tensor;
  if (place.offset) json["offset"] = *place.offset;
  return json;
}

Json to_json(const ModelInfo& info) {
  return {{"family", info.family},
          {"architecture", info.architecture},
          {"dtype", info.dtype},
          {"storedDtype", info.stored_dtype},
          {"numHiddenLayers", info.num_hidden_layers},
          {"numAttentionHeads", info.num_attention_heads},
          {"hiddenSize", info.hidden_size},
          {"intermediateSize", info.intermediate_size},
          {"vocabSize", info.vocab_size},
          {"maxLength", info.max_length},
          {"parameters", info.parameters},
          {"weightBytes", info.weight_bytes},
          {"problemType", info.problem_type},
          {"labels", info.labels},
          {"tasks", info.tasks},
          {"ignored", info.ignored}};
}

Json to_json(const Encoding& encoding) {
  return {{"ids", encoding.ids},
          {"tokens", encoding.tokens},
          {"offsets", list(encoding.offsets)},
          {"codePointOffsets", list(encoding.code_point_offsets)},
          {"wordIds", indices_or_null(encoding.word_ids)},
          {"sequenceIds", indices_or_null(encoding.sequence_ids)},
          {"typeIds", encoding.type_ids},
          {"attentionMask", encoding.attention_mask},
          {"specialTokensMask", encoding.special_tokens_mask},
          {"overflow", list(encoding.overflow)}};
}

Json to_json(const ForwardResult& result, Tensors& tensors) {
  Json json = Json::object();
  const auto add = [&](const char* name, const std::optional<Tensor>& tensor) {
    if (tensor) json[name] = refer(*tensor, tensors);
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
  add_list("queries", result.queries);
  add_list("keys", result.keys);
  add_list("values", result.values);
  return json;
}

Json to_json(const Classification& result, Tensors&) {
  return {{"labels", list(result.labels)}, {"truncated", list(result.truncated)}};
}

Json to_json(const AttentionResult& result, Tensors& tensors) {
  Json weights = refer(result.weights, tensors);
  weights["axes"] = result.axes;
  Json special_share = Json::array();
  for (const auto& [index, share] : result.special_share) {
    special_share.push_back({{"index", index}, {"share", share}});
  }
  return {{"tokens", list(result.tokens)},
          {"words", list(result.words)},
          {"keys", result.keys},
          {"weights", std::move(weights)},
          {"specialShare", std::move(special_share)},
          {"truncated", list(result.truncated)},
          {"labels", list(result.labels)}};
}

}  // namespace headlight::wasm
