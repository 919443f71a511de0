// Folders without tokenizer.json: vocab.json with merges.txt, SentencePiece models, added_tokens.json.
// make_older_cases.py has the cases by transformers.
#include <bit>

#include "text/protobuf.h"
#include "text/text_support.h"

namespace headlight::test {
namespace {

using Files = std::vector<File>;
using Tokens = std::vector<std::string>;

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value > 127; value >>= 7) bytes += static_cast<char>((value & 127) | 128);
  return bytes + static_cast<char>(value);
}
std::string number_field(std::uint32_t field, std::uint64_t value) {
  return varint(field << 3) + varint(value);
}
std::string bytes_field(std::uint32_t field, const std::string& bytes) {
  return varint(field << 3 | 2) + varint(bytes.size()) + bytes;
}
std::string real_field(std::uint32_t field, float value) {
  std::string bytes = varint(field << 3 | 5);
  for (int shift = 0; shift < 32; shift += 8)
    bytes += static_cast<char>(std::bit_cast<std::uint32_t>(value) >> shift);
  return bytes;
}

// The file of a list of [piece, score, type].
std::string sentencepiece_file(const json& pieces, std::uint64_t model_type = 1, std::uint64_t unk_id = 0) {
  std::string file;
  for (const json& piece : pieces) {
    file += bytes_field(1, bytes_field(1, piece[0]) + real_field(2, piece[1].get<float>()) +
                               number_field(3, piece[2].get<std::uint64_t>()));
  }
  file += bytes_field(2, number_field(3, model_type) + number_field(40, unk_id));
  return file + bytes_field(3, bytes_field(1, "identity"));
}

const json small_pieces =
    json::parse(R"([["<unk>", 0, 2], ["<s>", 0, 3], ["</s>", 0, 3], ["▁", -2, 1], ["a", -3, 1],
  ["▁a", -4, 1], ["b", -3, 1], ["ab", -7, 1]])");

Tokens tokens_of(const Files& files, const std::string& text,
                 std::optional<std::string> pair = std::nullopt) {
  return Tokenizer::from_files(files).encode({text, std::move(pair)}).tokens;
}

std::string code_of(const Files& files) {
  return thrown_code([&] { Tokenizer::from_files(files); });
}

const File xlm_roberta{"tokenizer_config.json", R"({"tokenizer_class": "XLMRobertaTokenizer"})"};

Files byte_level(const std::string& config, const std::string& merges = "#version: 0.2\na b\nĠ a\n") {
  return {
      {"vocab.json", R"({"<s>":0,"<pad>":1,"</s>":2,"<unk>":3,"a":4,"b":5,"ab":6,"Ġ":7,"Ġa":8,"<mask>":9})"},
      {"merges.txt", merges},
      {"tokenizer_config.json", config}};
}

TEST_CASE("vocab.json and merges.txt are RoBERTa's tokenizer") {
  CHECK(tokens_of(byte_level("{}"), "ab a") == Tokens{"<s>", "ab", "Ġa", "</s>"});
  CHECK(tokens_of(byte_level("{}", "a b\r\nĠ a"), "ab a") == Tokens{"<s>", "ab", "Ġa", "</s>"});
  CHECK(tokens_of(byte_level("{}"), "a", "b") == Tokens{"<s>", "a", "</s>", "</s>", "b", "</s>"});
  CHECK(tokens_of(byte_level("{}"), "a <mask>") == Tokens{"<s>", "a", " <mask>", "</s>"});
  CHECK(tokens_of(byte_level(R"({"mask_token": {"content": "<mask>", "lstrip": false}})"), "a <mask>") ==
        Tokens{"<s>", "a", "Ġ", "<mask>", "</s>"});
  CHECK(tokens_of(byte_level(R"({"add_prefix_space": true})"), "a") == Tokens{"<s>", "Ġa", "</s>"});
  const auto span = [](const std::string& config) {
    return Tokenizer::from_files(byte_level(config)).encode({"b a", std::nullopt}).offsets.at(2);
  };
  CHECK(span("{}") == Span{2, 3});
  CHECK(span(R"({"trim_offsets": false})") == Span{1, 3});
}

TEST_CASE("vocab.json and merges.txt that do not serve are refused") {
  CHECK(code_of({{"vocab.json", "{}"}}) == "E_NOT_FOUND");
  CHECK(code_of(byte_level(R"({"tokenizer_class": "CTRLTokenizer"})")) == "E_UNSUPPORTED_TOKENIZER");
  CHECK(code_of(byte_level("{}", "a\n")) == "E_INVALID_TOKENIZER");
  CHECK(code_of(byte_level("{}", "a b c\n")) == "E_INVALID_TOKENIZER");
  CHECK(code_of(byte_level("{}", "a x\n")) == "E_INVALID_TOKENIZER");
  CHECK(code_of(byte_level("{}", "a b\n\xFF b\n")) == "E_INVALID_TOKENIZER");
  for (const char* vocab : {"", "[]", "[[\"a\", 1]]", "{\"a\": -1}", "{\"a\": 1, \"b\": 1}", "{\"a\": {}}",
                            "3", "{\"a\": 0}", "{\"<s>\": 4194304}"}) {
    CHECK(code_of({{"vocab.json", vocab}, {"merges.txt", ""}}) == "E_INVALID_TOKENIZER");
  }
}

TEST_CASE("GPT-2's class adds no tokens") {
  Files files = byte_level(R"({"tokenizer_class": "GPT2Tokenizer", "unk_token": "<unk>"})");
  CHECK(tokens_of(files, "ab a") == Tokens{"ab", "Ġa"});
}

TEST_CASE("the class follows from config.json where tokenizer_config.json names none") {
  const File model{"spiece.model", sentencepiece_file(small_pieces)};
  CHECK(tokens_of({model, {"config.json", R"({"model_type": "xlm-roberta"})"}}, "a") ==
        Tokens{"<s>", "▁a", "</s>"});
  CHECK(tokens_of(
            {model, {"config.json", R"({"model_type": "bert", "tokenizer_class": "XLMRobertaTokenizer"})"}},
            "a") == Tokens{"<s>", "▁a", "</s>"});
  CHECK(code_of({model}) == "E_UNSUPPORTED_TOKENIZER");
  CHECK(code_of({model, {"config.json", R"({"model_type": "t5"})"}}) == "E_UNSUPPORTED_TOKENIZER");
  CHECK(code_of({model, {"tokenizer_config.json", R"({"tokenizer_class": "T5Tokenizer"})"}}) ==
        "E_UNSUPPORTED_TOKENIZER");
}

TEST_CASE("XLM-RoBERTa's ids are fairseq's") {
  const Files files = {{"sentencepiece.bpe.model", sentencepiece_file(small_pieces)}, xlm_roberta};
  const Tokenizer tokenizer = Tokenizer::from_files(files);
  CHECK(tokenizer.token_to_id("▁") == 4);
  CHECK(tokenizer.token_to_id("<mask>") == 9);
  CHECK(tokenizer.vocab_size() == 10);
  CHECK(tokenizer.encode({"a xb <mask>", std::nullopt}).tokens ==
        Tokens{"<s>", "▁a", "▁", "x", "b", " <mask>", "</s>"});
}

TEST_CASE("added_tokens.json adds tokens in the order of their ids") {
  const Tokenizer tokenizer = Tokenizer::from_files(Files{
      {"spm.model", sentencepiece_file(json::parse(R"([["[PAD]", 0, 3], ["[CLS]", 0, 3], ["[SEP]", 0, 3],
                                                            ["[UNK]", 0, 2], ["▁a", -1, 1]])"),
                                       1, 3)},
      {"added_tokens.json", R"({"<new>": 6, "[MASK]": 5})"},
      {"tokenizer_config.json", R"({"tokenizer_class": "DebertaV2Tokenizer"})"}});
  CHECK(tokenizer.token_to_id("[MASK]") == 5);
  CHECK(tokenizer.token_to_id("<new>") == 6);
  CHECK(tokenizer.encode({"a<new>", "[MASK]"}).ids == std::vector<std::int32_t>{1, 4, 6, 2, 5, 2});
  CHECK(tokenizer.encode({"a", "a"}).type_ids == std::vector<std::int32_t>{0, 0, 0, 1, 1});
}

TEST_CASE("SentencePiece files that do not hold together are refused") {
  const auto code = [](const std::string& bytes) { return code_of({{"spiece.model", bytes}, xlm_roberta}); };
  const std::string whole = sentencepiece_file(small_pieces);
  CHECK(code(whole) == "none");
  CHECK(code(whole + number_field(99, 7) + bytes_field(98, "more") + real_field(97, 1)) == "none");
  // Cut between fields a file is whole; within one it is not.
  std::size_t refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) refused += code(whole.substr(0, size)) != "none";
  CHECK(refused >= whole.size() - small_pieces.size() - 2);
  CHECK(code("") == "E_INVALID_TOKENIZER");
  CHECK(code("<!DOCTYPE html><html></html>") == "E_INVALID_TOKENIZER");

  const auto with = [&](const std::string& piece) { return code(whole + bytes_field(1, piece)); };
  const std::string text = bytes_field(1, "x");
  CHECK(with(text) == "none");
  CHECK(with(bytes_field(1, "\xFF")) == "E_INVALID_TOKENIZER");
  CHECK(with(number_field(1, 3)) == "E_INVALID_TOKENIZER");
  CHECK(with(text + number_field(2, 1)) == "E_INVALID_TOKENIZER");
  CHECK(with(text + real_field(2, std::numeric_limits<float>::quiet_NaN())) == "E_INVALID_TOKENIZER");
  CHECK(with(text + real_field(2, std::numeric_limits<float>::infinity())) == "E_INVALID_TOKENIZER");
  CHECK(with(text + number_field(3, 7)) == "E_INVALID_TOKENIZER");
  CHECK(with(text + bytes_field(3, "x")) == "E_INVALID_TOKENIZER");
  CHECK(with(bytes_field(1, std::string(1025, 'x'))) == "E_UNSUPPORTED_TOKENIZER");
  CHECK(code(whole + varint(1 << 3 | 2) + varint(~std::uint64_t{0}) + "x") ==
        "E_INVALID_TOKENIZER");                                      // length
  CHECK(code(whole + varint(1 << 3 | 3)) == "E_INVALID_TOKENIZER");  // a group
  CHECK(code(whole + std::string(11, '\xFF')) == "E_INVALID_TOKENIZER");
  CHECK(code(whole + varint(2)) == "E_INVALID_TOKENIZER");  // field 0
  CHECK(code(sentencepiece_file(small_pieces, 1, 8)) == "E_INVALID_TOKENIZER");
  CHECK(code(sentencepiece_file(small_pieces, 3)) == "E_UNSUPPORTED_TOKENIZER");
  CHECK(code(sentencepiece_file(small_pieces, 9)) == "E_INVALID_TOKENIZER");
  CHECK(code(whole + bytes_field(3, bytes_field(2, "no charsmap"))) == "E_INVALID_TOKENIZER");
}

TEST_CASE("encodings over older files are those of transformers") {
  const json content = json::parse(read_file(text_data() / "older_cases.json"));
  std::vector<std::string> different;
  std::size_t compared = 0;
  for (const json& folder : content["folders"]) {
    Files files = {{"tokenizer_config.json", folder["config"].dump()}};
    for (const auto& [name, text] : folder["files"].items()) files.push_back({name, text});
    if (folder.contains("pieces")) {
      files.push_back({folder["model_file"],
                       sentencepiece_file(folder["pieces"], folder["model_type"], folder["unk_id"])});
    }
    const Tokenizer tokenizer = Tokenizer::from_files(files);
    CHECK(tokenizer.vocab_size() == folder["vocab_size"].get<std::size_t>());
    for (const json& example : folder["cases"]) {
      Input input{example["text"], std::nullopt};
      if (!example["text_pair"].is_null()) input.text_pair = example["text_pair"].get<std::string>();
      const Encoding encoding = tokenizer.encode(input);
      std::string what = difference(encoding, example);
      if (tokenizer.decode(encoding.ids) != example["decoded"].get<std::string>()) what += " decoded";
      ++compared;
      if (!what.empty())
        different.push_back(folder["config"].dump() + example["text"].dump(-1, ' ', true) + what);
    }
  }
  CAPTURE(different);
  CHECK(different.empty());
  CHECK(compared >= 250);
}

}  // namespace
}  // namespace headlight::test
