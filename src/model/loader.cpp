// Loads a model from bytes that arrive piece by piece.
#include <algorithm>
#include <limits>
#include <map>

#include "headlight.h"
#include "json_document.h"
#include "json_text.h"
#include "model/config.h"
#include "model/encoder.h"
#include "model/families/families.h"
#include "model/sentence_transformer.h"
#include "tasks/fitting.h"
#include "throw_error.h"
#include "weights/weight_map.h"
#include "weights/weight_reader.h"

namespace headlight {
namespace {

constexpr std::string_view kConfig = "config.json";
constexpr std::size_t kMostThreads = 64;
constexpr std::string_view kManifest = "headlight.json";
constexpr int kPackFormat = 1;

// A way in which a folder may hold its weights. Sharded ones have an index, a small file that names the shards.
struct WeightForm {
  std::string_view file, index;
  bool int8;
};

// By preference.
constexpr WeightForm kWeightForms[] = {
    {"model.int8.safetensors", "model.safetensors.index.int8.json", true},
    {"model.safetensors", "model.safetensors.index.json", false},
    {"pytorch_model.bin", "pytorch_model.bin.index.json", false},
};

struct WeightIndex {
  std::vector<std::string> files;  // in their order
  std::uint64_t bytes = 0;         // of all tensors; 0 where it does not say
};

WeightIndex read_index(const File& index) {
  const Json parsed = parse_json(index.bytes, {.code = ErrorCode::E_MODEL_CORRUPT, .file = index.name});
  const Json* map = parsed.find("weight_map");
  std::map<std::string, std::uint64_t> files;  // and how many tensors name them
  const bool valid =
      map && map->is_object() && std::all_of(map->items().begin(), map->items().end(), [&](const Json& file) {
        if (!file.is_string()) return false;
        ++files[file.text()];
        return true;
      });
  if (!valid || files.empty()) {
    throw_error(ErrorCode::E_MODEL_CORRUPT, "The index has no weight_map from tensors to files",
                {.file = index.name});
  }
  WeightIndex found;
  for (const auto& [file, tensors] : files) {
    if (file.find_first_of("/\\:") != std::string::npos || file.starts_with('.')) {
      throw_error(ErrorCode::E_MODEL_CORRUPT,
                  {"The index names \"", file, "\", which is not a file of the folder"},
                  {.file = index.name});
    }
    found.files.push_back(file);
  }
  const Json* metadata = parsed.find("metadata");
  const Json* total = metadata ? metadata->find("total_size") : nullptr;
  if (total && total->is_natural()) found.bytes = total->natural();
  return found;
}

// Sizes of the files that a pack's manifest lists.
std::map<std::string, std::uint64_t> read_manifest(const File& file) {
  std::map<std::string, std::uint64_t> sizes;
  const Json manifest = parse_json(file.bytes, {.code = ErrorCode::E_MODEL_CORRUPT, .file = file.name});
  const auto fail = [&](ErrorCode code, const TextPiece& message) {
    throw_error(code, message, {.file = file.name});
  };
  const Json *format = manifest.find("format"), *listed = manifest.find("files");
  if (!format || !format->is_integer() || !listed || !listed->is_object()) {
    fail(ErrorCode::E_MODEL_CORRUPT, "The manifest lacks its format number or its list of files");
  }
  if (format->integer() != kPackFormat) {
    fail(ErrorCode::E_PACK_VERSION,
         {"The pack has format ", json_text(*format), ", this version reads ", kPackFormat});
  }
  for (const Json& entry : listed->items()) {
    const Json* bytes = entry.find("bytes");
    if (!bytes || !bytes->is_natural()) {
      fail(ErrorCode::E_MODEL_CORRUPT, {"The manifest's entry of ", entry.key(), " lacks its size"});
    }
    sizes.emplace(entry.key(), bytes->natural());
  }
  return sizes;
}

// What Hugging Face's text-classification pipeline makes of a classifier without a problem_type: several labels
// exclude each other, a single one is a probability of its own.
std::string infer_problem_type(const ConfigFile& config, std::size_t labels) {
  const std::string given = config.text_or("problem_type", "");
  for (const std::string_view known :
       {"single_label_classification", "multi_label_classification", "regression"}) {
    if (given == known) return given;
  }
  if (!given.empty()) fail_unsupported_option({"problem_type \"", given, "\" is not supported"});
  return labels == 1 ? "multi_label_classification" : "single_label_classification";
}

}  // namespace

struct ModelLoader::State {
  LoadOptions options;
  std::vector<File> files;
  std::map<std::string, std::uint64_t> sizes;  // of the files that a pack's manifest lists
  std::uint64_t indexed_bytes = 0;             // that the index of weight_files() tells, or 0
  std::unique_ptr<EncoderModel> model;         // from the first weights on
  std::optional<WeightMap> map;                // of the model
  std::unique_ptr<WeightReader> reader;
  std::string reading;            // name of the file that is open
  std::vector<std::string> read;  // names of the files that are complete
  bool failed = false;

  const File* find(std::string_view name) const {
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const File& file) { return file.name == name; });
    return found == files.end() ? nullptr : &*found;
  }
  void build();
  void on_tensors(std::span<const TensorEntry> tensors);
  TensorSink* on_tensor(const TensorEntry& tensor);

  // Runs a part of the load; once it has thrown, nothing more is taken.
  template <typename Part>
  void guarded(Part part) {
    if (failed) throw_error(ErrorCode::E_INVALID_ARGUMENT, "This loader has failed; begin with a new one");
    failed = true;
    part();
    failed = false;
  }
};

ModelLoader::ModelLoader(const LoadOptions& options) : state_(std::make_unique<State>()) {
  state_->options = options;
}
ModelLoader::~ModelLoader() = default;

std::vector<std::string> ModelLoader::small_files() {
  std::vector<std::string> names{
      std::string(kConfig),
      std::string(kManifest),
      "tokenizer.json",
      "tokenizer_config.json",
      "special_tokens_map.json",
      "added_tokens.json",
      "vocab.txt",
      "vocab.json",
      "merges.txt",
      "spiece.model",
      "spm.model",
      "sentencepiece.bpe.model",
  };
  for (const std::string_view name : kSentenceFiles) names.emplace_back(name);
  for (const WeightForm& form : kWeightForms) names.emplace_back(form.index);
  return names;
}

void ModelLoader::add_file(File file) {
  state_->guarded([&] {
    if (file.name == kManifest) state_->sizes = read_manifest(file);
    state_->files.push_back(std::move(file));
  });
}

std::vector<std::string> ModelLoader::weight_files(std::span<const std::string> listing,
                                                   std::span<const std::string> missing) {
  const auto& sizes = state_->sizes;
  const auto holds = [](std::span<const std::string> names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto present = [&](std::string_view name) {
    if (holds(missing, name)) return false;
    if (!listing.empty()) return holds(listing, name);
    return sizes.empty() || sizes.contains(std::string(name));
  };
  for (const WeightForm& form : kWeightForms) {
    if (form.int8 && state_->options.precision == Precision::float32 && present(kWeightForms[1].file))
      continue;
    if (const File* file = state_->find(form.index)) {
      WeightIndex index = read_index(*file);
      state_->indexed_bytes = index.bytes;
      return std::move(index.files);
    }
    // Without a listing a folder is taken for an ordinary one unless its manifest says otherwise.
    if (form.int8 && listing.empty() && sizes.empty()) continue;
    if (present(form.file)) return {std::string(form.file)};
  }
  std::string names;
  for (const WeightForm& form : kWeightForms) {
    if (!form.int8) names += (names.empty() ? "" : " and no ") + std::string(form.file);
  }
  throw_error(ErrorCode::E_NOT_FOUND, {"The folder has no ", names}, {.file = kWeightForms[1].file});
}

std::uint64_t ModelLoader::expected_weight_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [name, size] : state_->sizes) {
    if (name.ends_with(".safetensors")) bytes += size;
  }
  return bytes > 0 ? bytes : state_->indexed_bytes;
}

void ModelLoader::State::build() {
  const File* file = find(kConfig);
  if (!file) throw_error(ErrorCode::E_NOT_FOUND, "The folder has no config.json", {.file = kConfig});
  ConfigFile config = ConfigFile::parse(file->bytes);
  const Family& family = find_family(config.text_or("model_type", ""));
  model = std::make_unique<EncoderModel>(Tokenizer::from_files(files));
  if (options.scalar_kernels) model->kernels = &kernels::scalar();
  if (options.threads < 1 || options.threads > kMostThreads) {
    throw_error(ErrorCode::E_INVALID_ARGUMENT,
                {"threads ", options.threads, " is not from 1 to ", kMostThreads});
  }
  model->pool = std::make_unique<Pool>(options.threads);
  map.emplace(*model->kernels);
  ModelInfo& info = model->info;
  info.family = family.model_type;
  info.architecture = config.architecture();
  info.sentence = read_sentence_transformer(files);
  // Such a folder holds the encoder alone, often with the architecture of what it was trained from.
  if (info.sentence) config.forget_architecture();
  family.build(config, *model, *map);
  for (std::size_t l = 0; l < info.pruned_heads.size(); ++l) {
    if (model->layers[l]->num_attention_heads() == model->heads_of(l).size()) continue;
    fail_unsupported_option({"pruned_heads is not supported for the model_type \"", info.family, "\""});
  }
  if (model->max_positions <= model->embeddings->first_position()) {
    fail_config({"max_position_embeddings ", model->max_positions, " leaves no position"});
  }
  const std::size_t positions = model->max_positions - model->embeddings->first_position();
  info.max_length = std::min(positions, model->tokenizer.model_max_length().value_or(positions));
  if (info.sentence) {
    info.max_length = std::min(info.max_length, info.sentence->max_seq_length.value_or(info.max_length));
    info.ignored = info.sentence->unsupported;
  }
  if (model->head) {
    const Head::Kind kind = model->head->kind();
    if (kind == Head::Kind::sequence_classification || kind == Head::Kind::token_classification) {
      info.labels = config.labels();
    }
    if (kind == Head::Kind::sequence_classification) {
      info.problem_type = infer_problem_type(config, info.labels.size());
    }
  }
  if (const auto mask = model->tokenizer.mask_id()) info.mask_token = model->tokenizer.id_to_token(*mask);
  info.tasks = fitting_tasks(*model);
}

void ModelLoader::begin_weights(const std::string& name, std::optional<std::uint64_t> size) {
  state_->guarded([&] {
    State& state = *state_;
    if (!state.reading.empty()) {
      throw_error(ErrorCode::E_INVALID_ARGUMENT, {state.reading, " is still open"});
    }
    if (!state.model) {
      state.build();
      const bool int8 =
          state.options.precision == Precision::int8 ||
          (state.options.precision == Precision::automatic && name.ends_with(".int8.safetensors"));
      state.map->set_kept(int8 ? MatrixSink::Form::codes : MatrixSink::Form::values);
      state.model->info.dtype = int8 ? "int8" : "float32";
    }
    if (size && state.sizes.contains(name) && state.sizes.at(name) != *size) {
      const std::uint64_t listed = state.sizes.at(name);
      throw_error(*size < listed ? ErrorCode::E_MODEL_TRUNCATED : ErrorCode::E_MODEL_CORRUPT,
                  {"The manifest gives ", listed, " bytes, the file has ", *size}, {.file = name});
    }
    state.reading = name;
    state.reader = make_weight_reader(
        name, size,
        TensorVisitor{
            .tensors = [&state](std::span<const TensorEntry> tensors) { state.on_tensors(tensors); },
            .tensor = [&state](const TensorEntry& tensor) { return state.on_tensor(tensor); }});
  });
}

// Memory is asked for once, in one piece: where it can only grow, as in WebAssembly, it then grows once.
void ModelLoader::State::on_tensors(std::span<const TensorEntry> tensors) {
  const std::uint64_t bytes = map->bytes_for(tensors);
  model->info.weight_bytes += bytes;
  if (bytes > std::numeric_limits<std::size_t>::max()) throw std::bad_alloc();
  ::operator delete(::operator new(static_cast<std::size_t>(bytes)));
}

TensorSink* ModelLoader::State::on_tensor(const TensorEntry& tensor) {
  TensorSink* sink = map->open(tensor, reading);
  ModelInfo& info = model->info;
  if (!sink) {
    info.ignored.push_back(tensor.name);
    return nullptr;
  }
  if (!tensor.name.ends_with(kScalesSuffix)) info.parameters += tensor.elements();
  if (info.stored_dtype.empty() || tensor.dtype == DType::I8) {
    info.stored_dtype = dtype_name(tensor.dtype);
  }
  return sink;
}

void ModelLoader::feed(std::span<const std::byte> bytes) {
  state_->guarded([&] {
    if (!state_->reader) throw_error(ErrorCode::E_INVALID_ARGUMENT, "No weight file is open");
    state_->reader->feed(bytes);
  });
}

void ModelLoader::end_weights() {
  state_->guarded([&] {
    if (!state_->reader) throw_error(ErrorCode::E_INVALID_ARGUMENT, "No weight file is open");
    state_->reader->end();
    state_->reader.reset();
    state_->read.push_back(std::exchange(state_->reading, {}));
  });
}

Model ModelLoader::finish() {
  State& state = *state_;
  state.guarded([&] {
    if (!state.model || state.reader) {
      throw_error(ErrorCode::E_INVALID_ARGUMENT, "The weights are not complete");
    }
    state.map->finish(state.read.size() == 1 ? state.read.front() : "");
    state.model->prepare();
  });
  state.failed = true;  // a loader makes one model
  return Model(std::move(state.model));
}

}  // namespace headlight
