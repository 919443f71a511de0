// Folders that are whole, older, incomplete or broken.
#include "json_text.h"
#include "text/json_file.h"
#include "text/text_support.h"

namespace headlight::test {
namespace {

json small_tokenizer() {
  return {{"version", "1.0"},
          {"truncation",
           {{"max_length", 2}, {"strategy", "LongestFirst"}, {"stride", 0}, {"direction", "Right"}}},
          {"padding", nullptr},
          {"added_tokens", json::array()},
          {"normalizer",
           {{"type", "BertNormalizer"},
            {"clean_text", true},
            {"handle_chinese_chars", true},
            {"strip_accents", nullptr},
            {"lowercase", true}}},
          {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
          {"post_processor", {{"type", "BertProcessing"}, {"sep", {"[SEP]", 3}}, {"cls", {"[CLS]", 2}}}},
          {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}},
          {"model",
           {{"type", "WordPiece"},
            {"unk_token", "[UNK]"},
            {"continuing_subword_prefix", "##"},
            {"max_input_chars_per_word", 100},
            {"vocab", {{"[PAD]", 0}, {"[UNK]", 1}, {"[CLS]", 2}, {"[SEP]", 3}, {"a", 4}, {"##b", 5}}}}}};
}

Tokenizer from_json(const std::string& text) {
  const File files[] = {{"tokenizer.json", text}};
  return Tokenizer::from_files(files);
}

Tokenizer from_vocab(const std::string& vocab, const std::string& config = "{}") {
  const File files[] = {{"vocab.txt", vocab}, {"tokenizer_config.json", config}};
  return Tokenizer::from_files(files);
}

std::string code_of_json(const std::string& text) {
  return thrown_code([&] { from_json(text); });
}

// The error that a change of the small tokenizer.json meets.
template <typename Change>
std::string error_after(Change change) {
  json document = small_tokenizer();
  change(document);
  try {
    from_json(document.dump());
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

constexpr const char* small_vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n##b\n";

TEST_CASE("a small tokenizer.json works, its truncation aside") {
  const Tokenizer tokenizer = from_json(small_tokenizer().dump());
  CHECK(tokenizer.encode({"ab x A", std::nullopt}).ids == std::vector<std::int32_t>{2, 4, 5, 1, 4, 3});
  CHECK(tokenizer.vocab_size() == 6);
  CHECK(tokenizer.token_to_id("##b") == 5);
  CHECK(tokenizer.id_to_token(5) == "##b");
  CHECK(tokenizer.id_to_token(6) == std::nullopt);
  CHECK(tokenizer.pad_id() == 0);
  CHECK(tokenizer.unk_id() == 1);
  CHECK(tokenizer.cls_id() == 2);
  CHECK(tokenizer.sep_id() == 3);
  CHECK(tokenizer.mask_id() == std::nullopt);
  CHECK(tokenizer.model_max_length() == std::nullopt);
}

TEST_CASE("a model without a type is WordPiece, as files of 2020 have it") {
  json document = small_tokenizer();
  document["model"].erase("type");
  CHECK(from_json(document.dump()).vocab_size() == 6);
}

TEST_CASE("files that are not JSON are refused with their name and the place") {
  CHECK(code_of_json("") == "E_INVALID_TOKENIZER");
  CHECK(code_of_json(" \n") == "E_INVALID_TOKENIZER");
  CHECK(code_of_json("<!DOCTYPE html><html></html>") == "E_INVALID_TOKENIZER");
  CHECK(code_of_json("[]") == "E_INVALID_TOKENIZER");
  CHECK(code_of_json("null") == "E_INVALID_TOKENIZER");
  CHECK(code_of_json("{\"model\": \"\xFF\"}") == "E_INVALID_TOKENIZER");
  CHECK(code_of_json("{\"model\": \"\\ud800\"}") == "E_INVALID_TOKENIZER");

  const std::string whole = small_tokenizer().dump();
  std::size_t refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    try {
      from_json(whole.substr(0, size));
    } catch (const Error& error) {
      refused += error.code() == ErrorCode::E_INVALID_TOKENIZER && error.place().file == "tokenizer.json" &&
                 error.place().offset.has_value();
    }
  }
  CHECK(refused == whole.size());
}

TEST_CASE("deep nesting is refused, wherever it is") {
  const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
  CHECK(code_of_json(deep) == "E_INVALID_TOKENIZER");
  CHECK(code_of_json("{\"normalizer\": " + deep + "}") == "E_INVALID_TOKENIZER");
  CHECK(code_of_json("{\"model\": {\"vocab\": " + deep + "}}") == "E_INVALID_TOKENIZER");
  CHECK(thrown_code([&] { from_vocab(small_vocab, deep); }) == "E_INVALID_TOKENIZER");
}

TEST_CASE("parts that are not supported are refused by name") {
  const auto refusal = [](const std::string& part) {
    return error_after([&](json& d) { d[part] = {{"type", "Strange"}, {"vocab", json::array()}}; });
  };
  CHECK(contains(refusal("normalizer"), "E_UNSUPPORTED_TOKENIZER: The normalizer \"Strange\""));
  CHECK(contains(refusal("pre_tokenizer"), "E_UNSUPPORTED_TOKENIZER: The pre-tokenizer \"Strange\""));
  CHECK(contains(refusal("model"), "E_UNSUPPORTED_TOKENIZER: The model \"Strange\""));
  CHECK(contains(refusal("post_processor"), "E_UNSUPPORTED_TOKENIZER: The post-processor \"Strange\""));
  CHECK(contains(refusal("decoder"), "E_UNSUPPORTED_TOKENIZER: The decoder \"Strange\""));
  CHECK(contains(error_after([](json& d) { d["version"] = "2.0"; }), "E_UNSUPPORTED_TOKENIZER"));
}

TEST_CASE("wrong types and missing entries are refused with their path") {
  CHECK(contains(error_after([](json& d) { d["normalizer"]["lowercase"] = "yes"; }),
                 "E_INVALID_TOKENIZER: normalizer.lowercase must be true or false (tokenizer.json)"));
  CHECK(contains(error_after([](json& d) { d["normalizer"].erase("clean_text"); }),
                 "normalizer lacks \"clean_text\""));
  CHECK(contains(error_after([](json& d) { d["normalizer"] = 3; }), "normalizer must be an object"));
  CHECK(contains(error_after([](json& d) { d.erase("model"); }), "lacks \"model\""));
  CHECK(contains(error_after([](json& d) { d["model"] = json::array(); }), "model must be an object"));
  CHECK(contains(error_after([](json& d) { d["model"].erase("vocab"); }), "model lacks \"vocab\""));
  CHECK(contains(error_after([](json& d) { d["model"]["vocab"] = json::parse(R"([["a", 0]])"); }),
                 "model lacks \"vocab\", an object"));
  CHECK(contains(error_after([](json& d) { d["model"]["max_input_chars_per_word"] = -1; }),
                 "must be an integer from 0"));
  CHECK(contains(error_after([](json& d) { d["model"]["unk_token"] = nullptr; }),
                 "model.unk_token must be a string"));
  CHECK(contains(error_after([](json& d) { d["added_tokens"] = {{{"id", 4}}}; }),
                 "added_tokens.0 lacks \"content\""));
  CHECK(contains(error_after([](json& d) { d["post_processor"]["sep"] = {"[SEP]"}; }), "post_processor.sep"));
}

TEST_CASE("vocabularies with impossible ids are refused") {
  const auto with_id = [](const json& id) {
    return error_after([&](json& d) { d["model"]["vocab"]["x"] = id; });
  };
  for (const json& id : {json(-1), json(1.5), json(1 << 22), json(1e300), json("7"), json(true),
                         json(nullptr), json::array(), json::object()}) {
    CHECK(contains(with_id(id), "E_INVALID_TOKENIZER: model.vocab: the id of \"x\""));
  }
  CHECK(contains(with_id(4), "the id of another one, 4"));
  std::string twice = small_tokenizer().dump();
  twice.replace(twice.find("\"a\":4"), 5, "\"a\":4,\"a\":7");
  CHECK(code_of_json(twice) == "E_INVALID_TOKENIZER");
  CHECK(contains(error_after([](json& d) { d["model"]["vocab"].erase("[UNK]"); }),
                 "lacks the unknown token \"[UNK]\""));
}

json unigram_model(const json& vocab) { return {{"type", "Unigram"}, {"unk_id", 0}, {"vocab", vocab}}; }

TEST_CASE("lists of tokens and scores that are none are refused") {
  const auto with = [](const std::string& vocab) {
    return error_after([&](json& d) { d["model"] = unigram_model(json::parse(vocab)); });
  };
  const std::string specials = R"(["[UNK]", 0], ["[CLS]", 0], ["[SEP]", 0])";
  CHECK(with("[" + specials + R"(, ["a", -1.5], ["b", -2], ["a", 3]])") == "none");
  CHECK(contains(with(R"(["a", "b"])"), "model.vocab.0 is not a token and its score"));
  for (const char* entry : {R"(["a"])", R"(["a", "b"])", R"(["a", null])", R"(["a", 1, 2])", R"([1, "a"])",
                            R"(["a", [1]])", R"({"a": 1})", R"([])", R"(7)", R"([["a", 1]])"}) {
    CHECK(contains(with("[" + specials + ", " + entry + "]"), "model.vocab.3 is not a token and its score"));
  }
  CHECK(contains(with("{}"), "model lacks \"vocab\", a list of tokens and scores"));
  CHECK(contains(with("[]"), "The unknown token's id 0 is outside the vocabulary"));
  const auto unk_id = [](const json& id) {
    return error_after([&](json& d) {
      d["model"] = unigram_model(json::parse(R"([["a", 0]])"));
      d["model"]["unk_id"] = id;
    });
  };
  CHECK(contains(unk_id(1), "The unknown token's id 1 is outside the vocabulary"));
  CHECK(contains(unk_id(-1), "model.unk_id must be an integer"));
  CHECK(contains(unk_id(nullptr), "model.unk_id must be an integer"));
  std::string huge = small_tokenizer().dump();
  huge.replace(huge.find("\"vocab\":{"), 9, R"("vocab":[["a",1e999]],"x":{)");
  CHECK(code_of_json(huge) == "E_INVALID_TOKENIZER");
}

TEST_CASE("merges that are none are refused, and both spellings are read") {
  const auto with = [](const json& merges) {
    return error_after([&](json& d) {
      d["model"]["type"] = "BPE";
      d["model"]["vocab"] = {{"[CLS]", 2}, {"[SEP]", 3}, {"a", 0}, {"b", 1}, {"ab", 4}};
      d["model"]["merges"] = merges;
    });
  };
  CHECK(with({"a b"}) ==
        "E_INVALID_TOKENIZER: Merge 0 lacks the continuing prefix (tokenizer.json). Save the "
        "tokenizer anew with save_pretrained.");
  const auto plain = [](const json& merges, const json& dropout = nullptr) {
    return error_after([&](json& d) {
      d["model"] = {{"type", "BPE"},
                    {"vocab", {{"[CLS]", 2}, {"[SEP]", 3}, {"a", 0}, {"b", 1}, {"ab", 4}}},
                    {"merges", merges},
                    {"dropout", dropout}};
    });
  };
  CHECK(plain({"a b"}) == "none");
  CHECK(plain(json::array({{"a", "b"}})) == "none");
  CHECK(plain({"a b"}, 0) == "none");
  CHECK(contains(plain({"a b"}, 0.1), "E_UNSUPPORTED_TOKENIZER: The dropout of merges \"0.1\""));
  CHECK(contains(plain({"a b", "a x"}), "Merge 1 needs \"x\", which is no token"));
  for (const json& merge :
       {json("ab"), json("a b c"), json(3), json::array({"a"}), json::array({"a", "b", "c"}),
        json::array({"a", 1}), json(nullptr), json::object()}) {
    CHECK(contains(plain(json::array({"a b", merge})), "model.merges.1 is not two tokens"));
  }
  CHECK(contains(plain("a b"), "model lacks \"merges\""));
}

TEST_CASE("a tokenizer's long lists never become JSON values") {
  json document = {{"model", unigram_model(json::array())}};
  for (int i = 0; i < 1000; ++i) document["model"]["vocab"].push_back({"piece" + std::to_string(i), -i});
  document["model"]["merges"] = {"a b", "c d"};
  const std::string text = document.dump();
  const TokenizerDocument read = read_tokenizer_document({"tokenizer.json", text});
  CHECK(json_text(read.file.json) == R"({"model":{"type":"Unigram","unk_id":0}})");
  CHECK(read.lists.scores.value().size() == 1000);
  CHECK(read.lists.scores.value()[999] == -999);
  CHECK(read.lists.merges.value().size() == 2);
}

TEST_CASE("templates that do not hold together are refused") {
  json special = {{"[CLS]", {{"id", "[CLS]"}, {"ids", {2}}, {"tokens", {"[CLS]"}}}}};
  const auto with = [&](const json& single) {
    return error_after([&](json& d) {
      d["post_processor"] = {{"type", "TemplateProcessing"},
                             {"single", single},
                             {"pair", json::array()},
                             {"special_tokens", special}};
    });
  };
  const json cls = {{"SpecialToken", {{"id", "[CLS]"}, {"type_id", 0}}}};
  CHECK(with(json::array({cls})) == "none");
  CHECK(contains(with(json::parse(R"([{"SpecialToken": {"id": "[X]", "type_id": 0}}])")),
                 "special_tokens lacks \"[X]\""));
  CHECK(
      contains(with(json::parse(R"([{"Sequence": {"id": "B", "type_id": 0}}])")), "post_processor.single.0"));
  CHECK(
      contains(with(json::parse(R"([{"Sequence": {"id": "C", "type_id": 0}}])")), "must be \"A\" or \"B\""));
  CHECK(contains(with(json::array({json::object()})), "lacks \"SpecialToken\""));
  special["[CLS]"]["ids"] = {2, 3};
  CHECK(contains(with(json::array({cls})), "as many ids as tokens"));
}

TEST_CASE("vocab.txt alone is BERT's tokenizer") {
  const Tokenizer tokenizer = from_vocab(small_vocab);
  CHECK(tokenizer.encode({"ab x A", std::nullopt}).ids == std::vector<std::int32_t>{2, 4, 5, 1, 4, 3});
  CHECK(tokenizer.encode({"a", "A"}).type_ids == std::vector<std::int32_t>{0, 0, 0, 1, 1});
  CHECK(tokenizer.encode({"[UNK][SEP]", std::nullopt}).ids == std::vector<std::int32_t>{2, 1, 3, 3});
  CHECK(tokenizer.decode(std::vector<std::int32_t>{2, 4, 5, 4, 3}) == "ab a");
}

TEST_CASE("vocab.txt: line ends, gaps and repeated lines") {
  const auto ids = [](const std::string& vocab) {
    return from_vocab(vocab).encode({"ab", std::nullopt}).ids;
  };
  const std::vector<std::int32_t> expected = {2, 4, 5, 3};
  CHECK(ids("[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\na\r\n##b\r\n") == expected);
  CHECK(ids("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n##b") == expected);
  CHECK(ids("a\n[UNK]\n[CLS]\n[SEP]\na\n##b\n\n\n") == expected);  // the last "a" counts, as in transformers
}

TEST_CASE("vocab.txt that does not serve is refused") {
  const auto code = [](const std::string& vocab, const std::string& config = "{}") {
    return thrown_code([&] { from_vocab(vocab, config); });
  };
  CHECK(code("") == "E_INVALID_TOKENIZER");
  CHECK(code("[PAD]\n[CLS]\n[SEP]\na\n") == "E_INVALID_TOKENIZER");
  CHECK(code("[UNK]\n[SEP]\na\n") == "E_INVALID_TOKENIZER");
  CHECK(code("<!DOCTYPE html>\n<html>\n") == "E_INVALID_TOKENIZER");
  CHECK(code("[UNK]\n[CLS]\n[SEP]\n\xFF\n") == "E_INVALID_TOKENIZER");
  CHECK(code(small_vocab, R"({"tokenizer_class": "BertJapaneseTokenizer"})") == "E_UNSUPPORTED_TOKENIZER");
  CHECK(code(small_vocab, R"({"tokenizer_class": "DistilBertTokenizerFast"})") == "none");
  CHECK(code(small_vocab, R"({"do_lower_case": "true"})") == "E_INVALID_TOKENIZER");
  CHECK(code(small_vocab, R"({"padding_side": "top"})") == "E_INVALID_TOKENIZER");
  CHECK(code(small_vocab, "{") == "E_INVALID_TOKENIZER");
}

TEST_CASE("tokenizer_config.json governs vocab.txt") {
  const std::string vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nA\né\ne\n上菜\n<s>\n";
  const auto tokens = [&](const std::string& config, const std::string& text) {
    return from_vocab(vocab, config).encode({text, std::nullopt}).tokens;
  };
  using Tokens = std::vector<std::string>;
  CHECK(tokens("{}", "A é") == Tokens{"[CLS]", "a", "e", "[SEP]"});
  CHECK(tokens(R"({"do_lower_case": false})", "A é") == Tokens{"[CLS]", "A", "é", "[SEP]"});
  CHECK(tokens(R"({"strip_accents": false})", "A é") == Tokens{"[CLS]", "a", "é", "[SEP]"});
  CHECK(tokens(R"({"do_lower_case": false, "strip_accents": true})", "A é") ==
        Tokens{"[CLS]", "A", "e", "[SEP]"});
  CHECK(tokens("{}", "上菜") == Tokens{"[CLS]", "[UNK]", "[UNK]", "[SEP]"});
  CHECK(tokens(R"({"tokenize_chinese_chars": false})", "上菜") == Tokens{"[CLS]", "上菜", "[SEP]"});
  CHECK(tokens(R"({"cls_token": {"content": "<s>"}})", "a<s>") == Tokens{"<s>", "a", "<s>", "[SEP]"});
}

// What transformers 4.57 and 5.24 do alike.
TEST_CASE(
    "BERT's classes take the normalizer's options from tokenizer_config.json, whatever tokenizer.json says") {
  json document = small_tokenizer();
  document["model"]["vocab"] = {{"[PAD]", 0}, {"[UNK]", 1}, {"[CLS]", 2}, {"[SEP]", 3}, {"a", 4},
                                {"A", 5},     {"é", 6},     {"e", 7},     {"上菜", 8}};
  const auto tokens = [&](bool lowercase, const std::string& config, const std::string& model_type) {
    document["normalizer"]["lowercase"] = lowercase;
    document["normalizer"]["handle_chinese_chars"] = !lowercase;
    const File files[] = {{"tokenizer.json", document.dump()},
                          {"tokenizer_config.json", config},
                          {"config.json", json{{"model_type", model_type}}.dump()}};
    return Tokenizer::from_files(files)
        .encode({"A é 上菜", std::nullopt}, {.add_special_tokens = false})
        .tokens;
  };
  using Tokens = std::vector<std::string>;
  const Tokens lower{"a", "e", "[UNK]", "[UNK]"}, cased{"A", "é", "[UNK]", "[UNK]"};
  for (const bool stored : {true, false}) {
    INFO("tokenizer.json's lowercase is " << stored);
    for (const char* name : {"BertTokenizer", "DistilBertTokenizerFast", "ElectraTokenizer",
                             "MobileBertTokenizer", "MPNetTokenizer"}) {
      json config{{"tokenizer_class", name}};
      CHECK(tokens(stored, config.dump(), "bert") == lower);
      config["do_lower_case"] = false;
      CHECK(tokens(stored, config.dump(), "bert") == cased);
    }
    for (const char* model_type : {"bert", "distilbert", "electra", "ernie", "mobilebert", "mpnet"}) {
      CHECK(tokens(stored, "{}", model_type) == lower);
      CHECK(tokens(stored, R"({"do_lower_case": false})", model_type) == cased);
    }
    CHECK(tokens(stored, R"({"strip_accents": false})", "bert") == Tokens{"a", "é", "[UNK]", "[UNK]"});
    CHECK(tokens(stored, R"({"tokenize_chinese_chars": false})", "bert") == Tokens{"a", "e", "上菜"});
  }
  const std::string general = R"({"tokenizer_class": "PreTrainedTokenizerFast", "do_lower_case": false})";
  CHECK(tokens(true, general, "bert") == Tokens{"a", "e", "上菜"});
  CHECK(tokens(false, general, "bert") == cased);
  CHECK(tokens(true, R"({"do_lower_case": false})", "") == Tokens{"a", "e", "上菜"});
}

TEST_CASE("the types of tokens for a model are those that transformers hands it") {
  json document = small_tokenizer();
  document["post_processor"] = {{"type", "BertProcessing"}, {"sep", {"[SEP]", 3}}, {"cls", {"[CLS]", 2}}};
  document["model"]["vocab"] = {{"[PAD]", 0}, {"[UNK]", 1}, {"[CLS]", 2}, {"[SEP]", 3}, {"a", 4}};
  const std::vector<std::int32_t> told{0, 0, 0, 1, 1, 1, 0, 0}, none(8, 0);
  const auto types = [&](const json& config) {
    const File files[] = {{"tokenizer.json", document.dump()},
                          {"tokenizer_config.json", config.dump()},
                          {"config.json", R"({"model_type": "bert"})"}};
    const Tokenizer tokenizer = Tokenizer::from_files(files);
    TokenizeOptions options{.max_length = 8, .pad_to_max_length = true};
    CHECK(tokenizer.encode({"a", "a a"}, options).type_ids == told);
    options.for_model = true;
    return tokenizer.encode({"a", "a a"}, options).type_ids;
  };
  CHECK(types(json::object()) == told);
  CHECK(types({{"tokenizer_class", "BertTokenizer"}}) == told);
  CHECK(types({{"tokenizer_class", "PreTrainedTokenizerFast"}}) == told);
  CHECK(types({{"tokenizer_class", "TokenizersBackend"}}) == none);
  CHECK(types({{"tokenizer_class", "BigBirdTokenizerFast"}}) == none);
  CHECK(types({{"model_input_names", {"input_ids", "attention_mask"}}}) == none);
  CHECK(types({{"tokenizer_class", "TokenizersBackend"},
               {"model_input_names", {"input_ids", "token_type_ids", "attention_mask"}}}) == told);
}

TEST_CASE("RoBERTa's classes take prefix space and trimming from tokenizer_config.json") {
  json document = small_tokenizer();
  document["normalizer"] = nullptr;
  document["model"] = {{"type", "BPE"},
                       {"vocab", {{"<s>", 0}, {"</s>", 1}, {"a", 2}, {"Ġ", 3}, {"Ġa", 4}}},
                       {"merges", {"Ġ a"}}};
  const auto encode = [&](bool stored, const std::string& config) {
    document["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", stored}, {"trim_offsets", true}};
    document["post_processor"] = {{"type", "RobertaProcessing"},
                                  {"sep", {"</s>", 1}},
                                  {"cls", {"<s>", 0}},
                                  {"trim_offsets", stored},
                                  {"add_prefix_space", stored}};
    const File files[] = {{"tokenizer.json", document.dump()}, {"tokenizer_config.json", config}};
    return Tokenizer::from_files(files).encode({"a a", std::nullopt}, {.add_special_tokens = false});
  };
  using Tokens = std::vector<std::string>;
  for (const bool stored : {true, false}) {
    for (const char* name : {"RobertaTokenizer", "RobertaTokenizerFast", "LongformerTokenizer"}) {
      json config{{"tokenizer_class", name}};
      CHECK(encode(stored, config.dump()).tokens == Tokens{"a", "Ġa"});
      CHECK(encode(stored, config.dump()).offsets == std::vector<Span>{{0, 1}, {2, 3}});
      config["add_prefix_space"] = true;
      config["trim_offsets"] = false;
      CHECK(encode(stored, config.dump()).tokens == Tokens{"Ġa", "Ġa"});
      CHECK(encode(stored, config.dump()).offsets == std::vector<Span>{{0, 1}, {1, 3}});
    }
    const std::string general = R"({"tokenizer_class": "PreTrainedTokenizerFast"})";
    CHECK(encode(stored, general).tokens.front() == (stored ? "Ġa" : "a"));
  }
}

TEST_CASE("special ids come from the config files, else from the usual names") {
  const std::string vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n<pad>\n<blank>\n";
  const auto pad = [&](const std::string& tokenizer_config, const std::string& map,
                       const std::string& config) {
    const File files[] = {{"vocab.txt", vocab},
                          {"tokenizer_config.json", tokenizer_config},
                          {"special_tokens_map.json", map},
                          {"config.json", config}};
    return Tokenizer::from_files(files).pad_id();
  };
  CHECK(pad("{}", "{}", "{}") == 0);
  CHECK(pad("{}", "{}", R"({"pad_token_id": 6})") == 6);
  CHECK(pad("{}", R"({"pad_token": "<pad>"})", R"({"pad_token_id": 6})") == 5);
  CHECK(pad(R"({"pad_token": "<blank>"})", R"({"pad_token": "<pad>"})", "{}") == 6);
  CHECK(from_vocab(vocab).mask_id() == 4);
  CHECK(from_vocab(vocab, R"({"mask_token": "<blank>"})").mask_id() == 6);
}

TEST_CASE("model_max_length is told where it is a limit") {
  const auto limit = [](const std::string& value) {
    return from_vocab(small_vocab, "{\"model_max_length\": " + value + "}").model_max_length();
  };
  CHECK(limit("512") == 512);
  CHECK(limit("1000000000000000019884624838656") == std::nullopt);
  CHECK(limit("null") == std::nullopt);
}

TEST_CASE("added_tokens_decoder adds tokens in the order of their ids") {
  const Tokenizer tokenizer = from_vocab(small_vocab, R"({"added_tokens_decoder": {
      "10": {"content": "<ten>", "special": true}, "6": {"content": "<six>", "lstrip": true},
      "4": {"content": "a", "single_word": true}}})");
  CHECK(tokenizer.token_to_id("<six>") == 6);
  CHECK(tokenizer.token_to_id("<ten>") == 7);
  CHECK(tokenizer.vocab_size() == 8);
  CHECK(tokenizer.encode({"a <six><ten>", std::nullopt}).tokens ==
        std::vector<std::string>{"[CLS]", "a", " <six>", "<ten>", "[SEP]"});
  CHECK(tokenizer.decode(std::vector<std::int32_t>{6, 7}) == "<six>");
}

TEST_CASE("tokenizer.json goes before vocab.txt, and one of them must be there") {
  const File both[] = {{"vocab.txt", "[UNK]\n"}, {"tokenizer.json", small_tokenizer().dump()}};
  CHECK(Tokenizer::from_files(both).vocab_size() == 6);
  const File neither[] = {{"config.json", "{}"}};
  CHECK(thrown_code([&] { Tokenizer::from_files(neither); }) == "E_NOT_FOUND");
  CHECK(thrown_code([] { Tokenizer::from_files({}); }) == "E_NOT_FOUND");
}

TEST_CASE("both kinds of folder tokenize alike") {
  const TextCases cases(text_data() / "cases.json");
  std::string vocab;
  for (const json& token : cases.content["vocab"]) vocab += token.get<std::string>() + "\n";
  const Tokenizer tokenizer = from_vocab(vocab);
  std::size_t different = 0;
  for (const json& example : cases.content["cases"]) {
    const Input input{example["text"], std::nullopt};
    different += columns(tokenizer.encode(input)) != columns(cases.tokenizers.at("uncased").encode(input));
  }
  CHECK(different == 0);
}

}  // namespace
}  // namespace headlight::test
