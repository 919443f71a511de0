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
#include <map>
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
#include "kernels/self_test.h"
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
  virtual Json result(Tensors& tensors) = 0;
};

template <typename Result>
class OpenTask final : public OpenRun {
 public:
  explicit OpenTask(std::unique_ptr<Task<Result>> task) : task_(std::move(task)) {}

  Run& run() override { return *task_; }

  Json result(Tensors& tensors) override {
    results_ = task_->result();
    Json list = Json::array();
    for (const Result& result : results_) list.push_back(to_json(result, tensors));
    return list;
  }

 private:
  std::unique_ptr<Task<Result>> task_;
  std::vector<Result> results_;
};

template <typename Result>
std::unique_ptr<OpenRun> open(std::unique_ptr<Task<Result>> task) {
  return std::make_unique<OpenTask<Result>>(std::move(task));
}

// An explanation beside the tokens that it is of.
class OpenExplanation final : public OpenRun {
 public:
  OpenExplanation(const Model& model, const Input& input, const ExplainCall& call)
      : fitted_(encode_to_fit(model, input, "the input", call.text)),
        words_(to_json(attended_words(fitted_.encoding, input))),
        task_(model.begin_explain(fitted_.encoding, call.explain)) {}

  Run& run() override { return *task_; }

  Json result(Tensors& tensors) override {
    results_ = task_->result();
    Json json = to_json(results_.front(), tensors);
    json["tokens"] = to_json(attended_tokens(fitted_.encoding));
    json["words"] = words_;
    json["truncated"] = to_json(fitted_.truncated);
    Json list = Json::array();
    list.push_back(std::move(json));
    return list;
  }

 private:
  FittedEncoding fitted_;
  Json words_;
  std::unique_ptr<Task<Explanation>> task_;
  std::vector<Explanation> results_;
};

struct Instance {
  std::vector<std::uint8_t> input;
  std::string output;

  std::vector<File> files;  // small files that wait for the loader or the tokenizer
  std::optional<ModelLoader> loader;
  std::optional<Model> model;
  std::optional<Tokenizer> tokenizer;
  std::optional<Packer> packer;

  std::map<int, std::unique_ptr<OpenRun>> runs;
  int last_run = 0;
  std::uint64_t steps = 0;
};

Instance& instance() {
  static Instance instance;
  return instance;
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

void reply(const Json& json) { instance().output = dump(json); }

// {key: value}; an initializer list of one pair could be taken for a list.
void reply(const char* key, Json value) {
  Json json = Json::object();
  json[key] = std::move(value);
  reply(json);
}

int fail(const Error& error) {
  reply("error", to_json(error));
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
  } catch (const Json::exception& error) {
    return fail({ErrorCode::E_INVALID_ARGUMENT, std::string("The request cannot be read: ") + error.what()});
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
  const auto found = instance().runs.find(id);
  if (found == instance().runs.end()) throw_error(ErrorCode::E_INTERNAL, "This run is not open");
  return *found->second;
}

Json or_null(const auto& value) { return value ? Json(*value) : Json(nullptr); }

// What hl_input took for downloads is not needed by calls.
void release_input() { std::vector<std::uint8_t>().swap(instance().input); }

Json counters() {
  Json json;
  json["steps"] = instance().steps;
  json["openRuns"] = instance().runs.size();
  json["heapBytes"] = emscripten_get_heap_size();
  json["allocatedBytes"] = static_cast<unsigned>(mallinfo().uordblks);
  return json;
}

std::vector<std::int32_t> read_ids(const Json& ids) {
  const auto is_id = [](const Json& id) { return id.is_number_integer(); };
  if (!ids.is_array() || !std::all_of(ids.begin(), ids.end(), is_id)) {
    throw_error(ErrorCode::E_INVALID_ARGUMENT, "ids must be a list of whole numbers");
  }
  return ids.get<std::vector<std::int32_t>>();
}

Json query(const std::string& method, const Json& params) {
  if (method == "tokenize") {
    return to_json(
        tokenizer().encode(read_input(params.at("input")), read_tokenize_options(params.at("options"))));
  }
  if (method == "decode")
    return tokenizer().decode(read_ids(params.at("ids")), params.at("skipSpecialTokens"));
  if (method == "tokenToId") return or_null(tokenizer().token_to_id(params.at("token").get<std::string>()));
  if (method == "idToToken") return or_null(tokenizer().id_to_token(params.at("id").get<std::int32_t>()));
  if (method == "counters") return counters();
  if (method == "smallFiles") return ModelLoader::small_files();
  throw_error(ErrorCode::E_INTERNAL, {"There is no query '", method, "'"});
}

std::unique_ptr<OpenRun> begin_forward(std::span<const Input> inputs, const Json& options) {
  const ForwardCall call = read_forward_options(options);
  std::vector<Encoding> encodings;
  for (const Input& input : inputs) encodings.push_back(tokenizer().encode(input, call.tokenize));
  return open(model().begin_forward(encodings, call.forward));
}

std::unique_ptr<OpenRun> begin_explain(std::span<const Input> inputs, const Json& options) {
  if (inputs.size() != 1) throw_error(ErrorCode::E_INTERNAL, "explain takes one input at a time");
  const ExplainCall call = read_explain_options(options, model());
  return std::make_unique<OpenExplanation>(model(), inputs.front(), call);
}

std::unique_ptr<OpenRun> begin(const std::string& method, std::span<const Input> inputs,
                               const Json& options) {
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

Json describe(const Tensors& tensors) {
  Json list = Json::array();
  for (const Tensor* tensor : tensors) {
    const auto address = reinterpret_cast<std::uintptr_t>(tensor->data.data());
    Json& entry = list.emplace_back();
    entry["address"] = address;
    entry["length"] = tensor->data.size();
  }
  return list;
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
    Json json;
    json["build"] = table.isa == "relaxed16" ? "relaxed" : table.isa;
    json["failing"] = kernels::failing_kernels(table);
    reply(json);
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
    const auto names = [&](const char* key) {
      return request.at(key).is_null() ? std::vector<std::string>()
                                       : request.at(key).get<std::vector<std::string>>();
    };
    Json json;
    json["files"] = loader().weight_files(names("listing"), names("missing"));
    json["expectedBytes"] = loader().expected_weight_bytes();
    reply(json);
  });
}

// in: {name, size: bytes or null}
EMSCRIPTEN_KEEPALIVE int hl_loader_begin(std::size_t n) {
  return guarded([&] {
    const Json request = input_json(n);
    std::optional<std::uint64_t> size;
    if (!request.at("size").is_null()) size = request.at("size").get<std::uint64_t>();
    loader().begin_weights(request.at("name"), size);
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
    reply("info", to_json(model().info()));
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
    reply("result", query(request.at("method"), request.at("params")));
  });
}

// in: {method, inputs, options}; out: {run, work}: work in multiply-adds
EMSCRIPTEN_KEEPALIVE int hl_begin(std::size_t n) {
  return guarded([&] {
    const Json request = input_json(n);
    std::unique_ptr<OpenRun> run =
        begin(request.at("method"), read_inputs(request.at("inputs")), request.at("options"));
    const int id = ++instance().last_run;
    Json json;
    json["run"] = id;
    json["work"] = run->run().work_total();
    reply(json);
    instance().runs.emplace(id, std::move(run));
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
    Json json;
    json["result"] = find_run(id).result(tensors);
    json["tensors"] = describe(tensors);
    reply(json);
  });
}

// Frees a run, an unfinished one, too.
EMSCRIPTEN_KEEPALIVE void hl_end(int id) { instance().runs.erase(id); }

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
