// The boundary between the engine and JavaScript (web/src/engine.ts). One WebAssembly instance holds one model
// or one tokenizer. Requests and replies are JSON in UTF-8; file contents and tensors are bytes.
//
// Functions that return int give 0 on success and 1 on failure, hl_step excepted; after a failure hl_output is
// {"error": {code, message, file?, tensor?, offset?, advice}}. No C++ exception leaves this file.

#include <emscripten/emscripten.h>
#include <emscripten/heap.h>
#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headlight.h"
#include "json.h"
#include "json_document.h"
#include "json_text.h"
#include "kernels/self_test.h"
#include "options.h"
#include "tasks/attention.h"
#include "tasks/encode.h"
#include "throw_error.h"

namespace headlight::wasm {
namespace {

// A run and its results, which stay until the run is ended, so that their tensors can be copied out.
class OpenRun {
 public:
  virtual ~OpenRun() = default;
  virtual Run& run() = 0;
  virtual void write_result(JsonWriter& json, Tensors& tensors) = 0;
};

template <typename Result>
class OpenTask final : public OpenRun {
 public:
  explicit OpenTask(std::unique_ptr<Task<Result>> task) : task_(std::move(task)) {}

  Run& run() override { return *task_; }

  void write_result(JsonWriter& json, Tensors& tensors) override {
    results_ = task_->result();
    json.begin_array();
    for (const Result& result : results_) write(json, result, tensors);
    json.end_array();
  }

 private:
  std::unique_ptr<Task<Result>> task_;
  std::vector<Result> results_;
};

template <typename Result>
std::unique_ptr<OpenRun> open(std::unique_ptr<Task<Result>> task) {
  return std::make_unique<OpenTask<Result>>(std::move(task));
}

class OpenExplanation final : public OpenRun {
 public:
  OpenExplanation(const Model& model, const Input& input, const ExplainCall& call) {
    FittedEncoding fitted = encode_to_fit(model, input, "the input", call.text);
    reply_.tokens = attended_tokens(fitted.encoding);
    reply_.words = attended_words(fitted.encoding, input);
    reply_.truncated = std::move(fitted.truncated);
    task_ = model.begin_explain(fitted.encoding, call.explain);
  }

  Run& run() override { return *task_; }

  void write_result(JsonWriter& json, Tensors& tensors) override {
    reply_.explanation = std::move(task_->result().front());
    json.begin_array();
    write(json, reply_, tensors);
    json.end_array();
  }

 private:
  std::unique_ptr<Task<Explanation>> task_;
  ExplainReply reply_;
};

struct Instance {
  std::vector<std::uint8_t> input;
  std::string output;

  std::vector<File> files;  // small files that wait for the loader or the tokenizer
  std::optional<ModelLoader> loader;
  std::optional<Model> model;
  std::optional<Tokenizer> tokenizer;
  std::optional<Packer> packer;

  std::vector<std::unique_ptr<OpenRun>> runs;  // by id, from 1 on; null where none is open
  std::uint64_t steps = 0;
};

Instance& instance() {
  static Instance instance;
  return instance;
}

// The reply, a JSON object whose members are written between.
JsonWriter begin_reply() {
  instance().output.clear();
  JsonWriter json(instance().output);
  json.begin_object();
  return json;
}

int fail(const Error& error) {
  JsonWriter json = begin_reply();
  json.key("error");
  write(json, error);
  json.end_object();
  return 1;
}

// Turns the exception that is being handled into a reply.
int fail_with_current_exception() {
  try {
    throw;
  } catch (const Error& error) {
    return fail(error);
  } catch (const std::bad_alloc&) {
    return fail({ErrorCode::E_OUT_OF_MEMORY, "There is not enough memory"});
  } catch (const std::length_error&) {
    return fail({ErrorCode::E_OUT_OF_MEMORY, "More memory is needed than can be addressed"});
  } catch (const std::exception& error) {
    return fail({ErrorCode::E_INTERNAL, error.what()});
  } catch (...) {
    return fail({ErrorCode::E_INTERNAL, "An unknown exception"});
  }
}

// Runs a function of the boundary.
template <typename Function>
int guarded(Function&& function) {
  try {
    function();
    return 0;
  } catch (...) {
    return fail_with_current_exception();
  }
}

std::string_view input_text(std::size_t begin, std::size_t end) {
  const char* data = reinterpret_cast<const char*>(instance().input.data());
  return {data + begin, end - begin};
}

std::span<const std::byte> input_bytes(std::size_t size) {
  return std::as_bytes(std::span(instance().input).first(size));
}

Json input_json(std::size_t size) {
  return parse_json(input_text(0, size), {.code = ErrorCode::E_INVALID_ARGUMENT, .file = "the request"});
}

ModelLoader& loader() {
  if (!instance().loader) throw_error(ErrorCode::E_INTERNAL, "Nothing is being loaded");
  return *instance().loader;
}

Packer& packer() {
  if (!instance().packer) throw_error(ErrorCode::E_INTERNAL, "Nothing is being packed");
  return *instance().packer;
}

const Model& model() {
  if (!instance().model) throw_error(ErrorCode::E_INTERNAL, "No model is loaded");
  return *instance().model;
}

const Tokenizer& tokenizer() { return instance().tokenizer ? *instance().tokenizer : model().tokenizer(); }

OpenRun& find_run(int id) {
  const auto& runs = instance().runs;
  const auto i = static_cast<std::size_t>(id) - 1;
  if (i >= runs.size() || !runs[i]) throw_error(ErrorCode::E_INTERNAL, "This run is not open");
  return *runs[i];
}

// What hl_input took for downloads is not needed by calls.
void release_input() { std::vector<std::uint8_t>().swap(instance().input); }

void write_counters(JsonWriter& json) {
  json.begin_object();
  json.key("steps");
  json.natural(instance().steps);
  json.key("openRuns");
  json.integer(
      std::count_if(instance().runs.begin(), instance().runs.end(), [](const auto& run) { return !!run; }));
  json.key("heapBytes");
  json.natural(emscripten_get_heap_size());
  json.key("allocatedBytes");
  json.natural(static_cast<unsigned>(mallinfo().uordblks));
  json.end_object();
}

// A member that a request must have.
const Json& member(const Json& request, std::string_view key) {
  const Json* found = request.find(key);
  if (!found) throw_error(ErrorCode::E_INVALID_ARGUMENT, {"The request lacks ", key});
  return *found;
}

const std::string& text(const Json& request, std::string_view key) {
  const Json& found = member(request, key);
  if (!found.is_string()) Options::fail(key, "a string", found);
  return found.text();
}

std::vector<std::string> names(const Json& request, std::string_view key) {
  std::vector<std::string> names;
  for (const Json& name : member(request, key).items()) names.push_back(name.text());
  return names;
}

std::int32_t read_id(const Json& id, std::string_view key) {
  if (!id.is_integer()) Options::fail(key, "a whole number", id);
  return static_cast<std::int32_t>(id.integer());
}

std::vector<std::int32_t> read_ids(const Json& ids) {
  const std::span<const Json> items = ids.items();
  if (!ids.is_array() ||
      !std::all_of(items.begin(), items.end(), [](const Json& id) { return id.is_integer(); })) {
    throw_error(ErrorCode::E_INVALID_ARGUMENT, "ids must be a list of whole numbers");
  }
  std::vector<std::int32_t> read;
  for (const Json& id : items) read.push_back(static_cast<std::int32_t>(id.integer()));
  return read;
}

void query(std::string_view method, const Json& params, JsonWriter& json) {
  if (method == "tokenize") {
    return write(json, tokenizer().encode(read_input(member(params, "input")),
                                          read_tokenize_options(member(params, "options"))));
  }
  if (method == "decode") {
    const Json& skip = member(params, "skipSpecialTokens");
    if (!skip.is_boolean()) Options::fail("skipSpecialTokens", "true or false", skip);
    return json.string(tokenizer().decode(read_ids(member(params, "ids")), skip.boolean()));
  }
  if (method == "tokenToId") {
    const auto id = tokenizer().token_to_id(text(params, "token"));
    return id ? json.integer(*id) : json.null();
  }
  if (method == "idToToken") {
    const auto token = tokenizer().id_to_token(read_id(member(params, "id"), "id"));
    return token ? json.string(*token) : json.null();
  }
  if (method == "counters") return write_counters(json);
  if (method == "smallFiles") return write(json, ModelLoader::small_files());
  throw_error(ErrorCode::E_INTERNAL, {"There is no query '", method, "'"});
}

std::unique_ptr<OpenRun> begin_forward(std::span<const Input> inputs, const Json& options) {
  ForwardCall call = read_forward_options(options);
  call.tokenize.for_model = true;
  std::vector<Encoding> encodings;
  for (const Input& input : inputs) encodings.push_back(tokenizer().encode(input, call.tokenize));
  return open(model().begin_forward(encodings, call.forward));
}

std::unique_ptr<OpenRun> begin_explain(std::span<const Input> inputs, const Json& options) {
  if (inputs.size() != 1) throw_error(ErrorCode::E_INTERNAL, "explain takes one input at a time");
  return std::make_unique<OpenExplanation>(model(), inputs.front(), read_explain_options(options, model()));
}

std::unique_ptr<OpenRun> begin(std::string_view method, std::span<const Input> inputs, const Json& options) {
  if (method == "forward") return begin_forward(inputs, options);
  if (method == "explain") return begin_explain(inputs, options);
  if (method == "classify") return open(model().begin_classify(inputs, read_classify_options(options)));
  if (method == "attention") return open(model().begin_attention(inputs, read_attention_options(options)));
  if (method == "entities") return open(model().begin_entities(inputs, read_entity_options(options)));
  if (method == "fillMask") return open(model().begin_fill_mask(inputs, read_fill_mask_options(options)));
  if (method == "answer") return open(model().begin_answer(inputs, read_answer_options(options)));
  if (method == "embed") return open(model().begin_embed(inputs, read_embed_options(options)));
  if (method == "nextSentence")
    return open(model().begin_next_sentence(inputs, read_next_sentence_options(options)));
  if (method == "rank") return open(model().begin_rank(inputs, read_rank_options(options)));
  if (method == "zeroShot") {
    const ZeroShotCall call = read_zero_shot_options(options);
    return open(model().begin_zero_shot(inputs, call.labels, call.options));
  }
  throw_error(ErrorCode::E_INTERNAL, {"There is no method '", method, "'"});
}

// [{address, length}]
void describe(JsonWriter& json, const Tensors& tensors) {
  json.begin_array();
  for (const Tensor* tensor : tensors) {
    json.begin_object();
    json.key("address");
    json.natural(reinterpret_cast<std::uintptr_t>(tensor->data.data()));
    json.key("length");
    json.natural(tensor->data.size());
    json.end_object();
  }
  json.end_array();
}

}  // namespace
}  // namespace headlight::wasm

using namespace headlight;
using namespace headlight::wasm;

extern "C" {

// Room for n bytes of input, valid until the next call of hl_input; nullptr when there is no memory.
EMSCRIPTEN_KEEPALIVE std::uint8_t* hl_input(std::size_t n) {
  const int failed = guarded([&] {
    if (instance().input.size() < n) {
      release_input();
      instance().input.resize(n);
    }
  });
  return failed ? nullptr : instance().input.data();
}

// The last reply.
EMSCRIPTEN_KEEPALIVE const char* hl_output() { return instance().output.data(); }
EMSCRIPTEN_KEEPALIVE std::size_t hl_output_size() { return instance().output.size(); }

// The kernels of this build against their definitions. out: {build, failing: names of kernels}
EMSCRIPTEN_KEEPALIVE int hl_self_test() {
  return guarded([] {
    const kernels::Table& table = kernels::best();
    const std::vector<std::string_view> failing = kernels::failing_kernels(table);
    JsonWriter json = begin_reply();
    json.key("build");
    json.string(table.isa == "relaxed16" ? "relaxed" : table.isa);
    json.key("failing");
    json.begin_array();
    for (const std::string_view name : failing) json.string(name);
    json.end_array();
    json.end_object();
  });
}

// in: {precision, scalarKernels}
EMSCRIPTEN_KEEPALIVE int hl_loader_create(std::size_t n) {
  return guarded([&] { instance().loader.emplace(read_load_options(input_json(n))); });
}

// in: a name of name_size bytes, then the file's bytes; n bytes in all
EMSCRIPTEN_KEEPALIVE int hl_loader_file(std::size_t name_size, std::size_t n) {
  return guarded([&] {
    instance().files.push_back(
        {std::string(input_text(0, name_size)), std::string(input_text(name_size, n))});
  });
}

// in: {listing: names or null, missing: names}; out: {files: names, expectedBytes}
EMSCRIPTEN_KEEPALIVE int hl_loader_weight_files(std::size_t n) {
  return guarded([&] {
    for (File& file : std::exchange(instance().files, {})) loader().add_file(std::move(file));
    const Json request = input_json(n);
    const std::vector<std::string> files =
        loader().weight_files(names(request, "listing"), names(request, "missing"));
    JsonWriter json = begin_reply();
    json.key("files");
    write(json, files);
    json.key("expectedBytes");
    json.natural(loader().expected_weight_bytes());
    json.end_object();
  });
}

// in: {name, size: bytes or null}
EMSCRIPTEN_KEEPALIVE int hl_loader_begin(std::size_t n) {
  return guarded([&] {
    const Json request = input_json(n);
    std::optional<std::uint64_t> size;
    if (const Json& given = member(request, "size"); given.is_natural()) size = given.natural();
    loader().begin_weights(text(request, "name"), size);
  });
}

// in: the next bytes of the weight file
EMSCRIPTEN_KEEPALIVE int hl_loader_feed(std::size_t n) {
  return guarded([&] { loader().feed(input_bytes(n)); });
}

EMSCRIPTEN_KEEPALIVE int hl_loader_end() {
  return guarded([] { loader().end_weights(); });
}

// out: {info}
EMSCRIPTEN_KEEPALIVE int hl_loader_finish() {
  return guarded([] {
    instance().model.emplace(loader().finish());
    instance().loader.reset();
    release_input();
    JsonWriter json = begin_reply();
    json.key("info");
    write(json, model().info());
    json.end_object();
  });
}

// From the files of hl_loader_file alone.
EMSCRIPTEN_KEEPALIVE int hl_tokenizer_create() {
  return guarded([] {
    const std::vector<File> files = std::exchange(instance().files, {});
    instance().tokenizer.emplace(Tokenizer::from_files(files));
    release_input();
  });
}

// in: {method, params}; out: {result}
EMSCRIPTEN_KEEPALIVE int hl_query(std::size_t n) {
  return guarded([&] {
    const Json request = input_json(n);
    JsonWriter json = begin_reply();
    json.key("result");
    query(text(request, "method"), member(request, "params"), json);
    json.end_object();
  });
}

// in: {method, inputs, options}; out: {run, work}: work in multiply-adds
EMSCRIPTEN_KEEPALIVE int hl_begin(std::size_t n) {
  return guarded([&] {
    const Json request = input_json(n);
    std::unique_ptr<OpenRun> run =
        begin(text(request, "method"), read_inputs(member(request, "inputs")), member(request, "options"));
    auto& runs = instance().runs;
    const auto place = std::find(runs.begin(), runs.end(), nullptr);
    JsonWriter json = begin_reply();
    json.key("run");
    json.integer(place - runs.begin() + 1);
    json.key("work");
    json.natural(run->run().work_total());
    json.end_object();
    if (place == runs.end()) {
      runs.push_back(std::move(run));
    } else {
      *place = std::move(run);
    }
  });
}

// 0: done, 1: more to do, -1: failed
EMSCRIPTEN_KEEPALIVE int hl_step(int id, double work) {
  bool more = false;
  const int failed = guarded([&] {
    ++instance().steps;
    more = find_run(id).run().step(static_cast<std::uint64_t>(work));
  });
  return failed ? -1 : more;
}

// From 0 to 1.
EMSCRIPTEN_KEEPALIVE double hl_progress(int id) {
  double progress = 0;
  guarded([&] {
    const Run& run = find_run(id).run();
    const auto total = static_cast<double>(run.work_total());
    progress = total > 0 ? static_cast<double>(run.work_done()) / total : 1;
  });
  return progress;
}

// out: {result: one entry an input, tensors: [{address, length}]}; addresses are valid until the next call
EMSCRIPTEN_KEEPALIVE int hl_result(int id) {
  return guarded([&] {
    Tensors tensors;
    JsonWriter json = begin_reply();
    json.key("result");
    find_run(id).write_result(json, tensors);
    json.key("tensors");
    describe(json, tensors);
    json.end_object();
  });
}

// Frees a run, an unfinished one, too.
EMSCRIPTEN_KEEPALIVE void hl_end(int id) {
  const auto i = static_cast<std::size_t>(id) - 1;
  if (i < instance().runs.size()) instance().runs[i].reset();
}

// in: the weight file's name
EMSCRIPTEN_KEEPALIVE int hl_packer_create(std::size_t n) {
  return guarded([&] {
    instance().packer.emplace(
        [](std::uint64_t offset, std::span<const std::byte> bytes) {
          const std::uint64_t head[] = {offset, bytes.size()};
          std::string& output = instance().output;
          output.append(reinterpret_cast<const char*>(head), sizeof(head));
          output.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        },
        std::string(input_text(0, n)));
  });
}

// in: the next bytes of the weight file; out: parts of the packed file, each its offset and its size in 64 bits, then
// its bytes
EMSCRIPTEN_KEEPALIVE int hl_packer_feed(std::size_t n) {
  return guarded([&] {
    instance().output.clear();
    packer().feed(input_bytes(n));
  });
}

EMSCRIPTEN_KEEPALIVE int hl_packer_finish() {
  return guarded([] {
    instance().output.clear();
    packer().finish();
    instance().packer.reset();
  });
}

}  // extern "C"
