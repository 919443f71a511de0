// What a sentence-transformers folder adds: pooling, length, prompts, and modules that are not computed.
#include <catch2/catch_test_macros.hpp>

#include "headlight.h"
#include "support/files.h"
#include "support/random_bert.h"
#include "weights/load.h"

namespace headlight::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json module_of(const std::string& path, const std::string& type) {
  return {{"path", path}, {"type", "sentence_transformers.models." + type}};
}

// A folder of the usual three modules; `max_position_embeddings` is 512.
class SentenceFolder : public TemporaryFolder {
 public:
  SentenceFolder() {
    write_bert(path(), RandomBert{.architecture = "BertModel"});
    modules({module_of("", "Transformer"), module_of("1_Pooling", "Pooling"),
             module_of("2_Normalize", "Normalize")});
    fs::create_directory(path() / "1_Pooling");
    pooling({{"word_embedding_dimension", 16},
             {"pooling_mode_cls_token", false},
             {"pooling_mode_mean_tokens", true}});
    write("sentence_bert_config.json", {{"max_seq_length", 256}, {"do_lower_case", false}});
    write("config_sentence_transformers.json",
          {{"prompts", {{"query", "query: "}, {"document", ""}}}, {"default_prompt_name", nullptr}});
  }
  void write(const std::string& name, const json& contents) const {
    write_file(path() / name, contents.dump());
  }
  void modules(const json& list) const { write("modules.json", list); }
  void pooling(const json& config) const { write("1_Pooling/config.json", config); }
  ModelInfo info() const { return Model::load(path()).info(); }
};

TEST_CASE("a sentence-transformers folder says how it makes vectors") {
  const SentenceFolder folder;
  const ModelInfo info = folder.info();
  REQUIRE(info.sentence);
  CHECK(info.sentence->pooling == std::vector<std::string>{"mean"});
  CHECK(info.sentence->normalize);
  CHECK(info.sentence->include_prompt);
  CHECK(info.sentence->max_seq_length == 256);
  CHECK(info.sentence->prompts ==
        std::vector<std::pair<std::string, std::string>>{{"document", ""}, {"query", "query: "}});
  CHECK(info.sentence->default_prompt_name.empty());
  CHECK(info.sentence->unsupported.empty());
  CHECK(info.max_length == 256);
  CHECK(info.ignored.empty());
}

TEST_CASE("an ordinary folder has no sentence vectors, whatever else lies in it") {
  const SentenceFolder folder;
  fs::remove(folder.path() / "modules.json");
  CHECK_FALSE(folder.info().sentence);
  CHECK(folder.info().max_length == 512);
}

TEST_CASE("a longer max_seq_length than the model's does not count") {
  const SentenceFolder folder;
  folder.write("sentence_bert_config.json", {{"max_seq_length", 5000}});
  CHECK(folder.info().max_length == 512);
}

TEST_CASE("several poolings are joined in their order, and the later form is read") {
  const SentenceFolder folder;
  folder.pooling(
      {{"pooling_mode_mean_tokens", true}, {"pooling_mode_cls_token", true}, {"include_prompt", false}});
  CHECK(folder.info().sentence->pooling == std::vector<std::string>{"cls", "mean"});
  CHECK_FALSE(folder.info().sentence->include_prompt);
  folder.pooling({{"pooling_mode", "lasttoken"}});
  CHECK(folder.info().sentence->pooling == std::vector<std::string>{"lasttoken"});
}

TEST_CASE("modules that change the vectors are named, never passed over") {
  const auto unsupported = [](const SentenceFolder& folder) {
    const ModelInfo info = folder.info();
    CHECK(info.ignored == info.sentence->unsupported);
    return info.sentence->unsupported;
  };
  const SentenceFolder folder;
  const json transformer = module_of("", "Transformer"), pooling = module_of("1_Pooling", "Pooling");
  folder.modules({transformer, pooling, module_of("2_Dense", "Dense")});
  CHECK(unsupported(folder) == std::vector<std::string>{"2_Dense (sentence_transformers.models.Dense)"});
  folder.modules({transformer, module_of("9_Pooling", "Pooling")});
  CHECK(unsupported(folder) == std::vector<std::string>{"9_Pooling (sentence_transformers.models.Pooling)"});
  folder.modules({transformer, pooling});
  folder.pooling({{"pooling_mode_median_tokens", true}});
  CHECK(unsupported(folder) == std::vector<std::string>{"1_Pooling (pooling_mode_median_tokens)"});
  folder.pooling({{"pooling_mode", "median"}});
  CHECK(unsupported(folder) == std::vector<std::string>{"1_Pooling (pooling_mode median)"});
  fs::remove(folder.path() / "1_Pooling" / "config.json");
  CHECK(unsupported(folder) == std::vector<std::string>{"1_Pooling (its config.json is missing)"});
}

TEST_CASE("files of sentence-transformers that make no sense are refused by name") {
  struct Bad {
    const char* file;
    const char* text;
  };
  for (const auto& [file, text] :
       {Bad{"modules.json", "{}"}, Bad{"modules.json", "[1]"}, Bad{"modules.json", "["},
        Bad{"1_Pooling/config.json", "[]"},
        Bad{"1_Pooling/config.json", R"({"pooling_mode_cls_token": "yes"})"},
        Bad{"sentence_bert_config.json", R"({"max_seq_length": 0})"},
        Bad{"sentence_bert_config.json", R"({"max_seq_length": -3})"},
        Bad{"sentence_bert_config.json", R"({"max_seq_length": "128"})"},
        Bad{"sentence_bert_config.json", ""},
        Bad{"config_sentence_transformers.json", R"({"prompts": {"query": 1}})"}}) {
    const SentenceFolder folder;
    write_file(folder.path() / file, text);
    const Error error = load_error(folder.path());
    INFO(file << " " << text << ": " << error.what());
    CHECK(error.code() == ErrorCode::E_INVALID_CONFIG);
    CHECK(error.place().file == file);
  }
}

}  // namespace
}  // namespace headlight::test
