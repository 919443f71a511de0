// Headlight: a BERT-family encoder that shows its attention. The one public header.
//
//   headlight::Model model = headlight::Model::load("models/sentiment-en");
//   const std::vector<headlight::Input> inputs{{.text = "A charming film.", .text_pair = {}}};
//   for (const headlight::Classification& result : model.classify(inputs)) ...
//
// Everything throws headlight::Error, or std::bad_alloc where memory runs out, and nothing else; after a throw the
// object still works.
// Text is UTF-8; an invalid sequence counts as one U+FFFD. Tensors are row-major float32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

// ---------------------------------------------------------------------------------------------
// Errors

enum class ErrorCode {
#define HEADLIGHT_ERROR(code, advice) code,
#include "error_codes.def"
#undef HEADLIGHT_ERROR
};

// Where in the input the fault lies; what does not apply stays empty.
struct ErrorPlace {
  std::string file = {};                     // "model.safetensors"
  std::string tensor = {};                   // "bert.embeddings.word_embeddings.weight"
  std::optional<std::uint64_t> offset = {};  // byte within the file
};

class Error : public std::exception {
 public:
  // message: what was wrong, one sentence without a full stop's worth of advice.
  Error(ErrorCode code, std::string message, ErrorPlace place = {});

  ErrorCode code() const noexcept { return code_; }
  std::string_view code_name() const noexcept;  // "E_MODEL_TRUNCATED"
  std::string_view advice() const noexcept;     // what to do about it
  const std::string& message() const noexcept { return message_; }
  const ErrorPlace& place() const noexcept { return place_; }
  const char* what() const noexcept override { return what_.c_str(); }  // all of it in one line

 private:
  ErrorCode code_;
  std::string message_;
  ErrorPlace place_;
  std::string what_;
};

// ---------------------------------------------------------------------------------------------
// Text

// A text, or a pair of texts that are judged together.
struct Input {
  std::string text;
  std::optional<std::string> text_pair = {};
};

// Hugging Face's truncation strategies.
enum class Truncation { none, longest_first, only_first, only_second };

struct TokenizeOptions {
  bool add_special_tokens = true;
  std::optional<std::size_t> max_length =
      {};  // tokens, special ones included; needed by truncation and padding
  Truncation truncation = Truncation::none;
  bool pad_to_max_length = false;
  std::size_t stride = 0;  // tokens that a window of `overflow` shares with the one before
  bool overflow = true;    // keep what truncation cuts off; where both texts are cut, windows multiply
  bool parse_special_tokens = true;  // false: "[SEP]" in the text is text, not the token
  // For a forward pass: the type ids are 0 where transformers hands the model none (model_input_names, or the class).
  bool for_model = false;
};

struct Span {
  std::uint32_t start = 0;
  std::uint32_t end = 0;  // exclusive
  bool operator==(const Span&) const = default;
};

// Parallel arrays, one entry a token. Offsets are within the token's own text (see sequence_ids);
// special tokens and padding have the empty span 0..0.
struct Encoding {
  std::vector<std::int32_t> ids;
  std::vector<std::string> tokens;           // as the vocabulary spells them, "##ing"
  std::vector<std::int32_t> type_ids;        // 0 for text, 1 for text_pair where the model tells them apart
  std::vector<Span> offsets;                 // UTF-16 code units
  std::vector<Span> code_point_offsets;      // code points
  std::vector<std::int32_t> word_ids;        // word within its own text, -1 at special tokens and padding
  std::vector<std::int32_t> sequence_ids;    // 0 text, 1 text_pair, -1 at special tokens and padding
  std::vector<std::int32_t> attention_mask;  // 1 token, 0 padding
  std::vector<std::int32_t> special_tokens_mask;  // 1 at special tokens and padding
  std::vector<Encoding> overflow;  // what truncation cut off, in windows (Hugging Face's overflowing tokens)

  std::size_t size() const { return ids.size(); }
};

class TokenizerModel;  // src/text

// Files of a model folder by name, as bytes. Only small files: weights are streamed.
struct File {
  std::string name;  // "tokenizer.json"
  std::string bytes;
};

// Turns text into token ids as Hugging Face's tokenizers do. Immutable; copies share the vocabulary.
class Tokenizer {
 public:
  // Reads tokenizer.json, or vocab.txt, or vocab.json and merges.txt, or a SentencePiece model
  // (sentencepiece.bpe.model, spiece.model, spm.model), each with tokenizer_config.json, special_tokens_map.json,
  // added_tokens.json and config.json where they are given. Other files are ignored.
  // Throws E_NOT_FOUND, E_INVALID_TOKENIZER, E_UNSUPPORTED_TOKENIZER.
  static Tokenizer from_files(std::span<const File> files);

  // Throws E_INVALID_ARGUMENT (a maximum length that leaves no room for the special tokens, a stride
  // that is not smaller than that room, only_second without a pair, padding without max_length or pad token).
  Encoding encode(const Input& input, const TokenizeOptions& options = {}) const;

  // Throws E_INVALID_ARGUMENT for an id outside the vocabulary.
  std::string decode(std::span<const std::int32_t> ids, bool skip_special_tokens = true) const;

  // Tokens as the vocabulary spells them, or other texts in their places, put together as decode() does
  // (Hugging Face's convert_tokens_to_string).
  std::string join(std::span<const std::string> tokens) const;

  // Whether the vocabulary marks the tokens that continue a word ("##ing") rather than those that begin one.
  bool marks_continuations() const;

  std::optional<std::int32_t> token_to_id(std::string_view token) const;
  std::optional<std::string> id_to_token(std::int32_t id) const;
  std::size_t vocab_size() const;  // ids run from 0 to vocab_size() - 1, added tokens included
  std::optional<std::size_t> model_max_length() const;  // tokenizer_config.json's, where it is a real limit
  std::optional<std::int32_t> cls_id() const;
  std::optional<std::int32_t> sep_id() const;
  std::optional<std::int32_t> pad_id() const;
  std::optional<std::int32_t> mask_id() const;
  std::optional<std::int32_t> unk_id() const;

 private:
  explicit Tokenizer(std::shared_ptr<const TokenizerModel> model) : model_(std::move(model)) {}
  std::shared_ptr<const TokenizerModel> model_;
};

// ---------------------------------------------------------------------------------------------
// Tensors and the forward pass

struct Tensor {
  std::vector<float> data;  // row-major
  std::vector<std::size_t> shape;
};

// What a forward pass keeps. `layers` and `heads` choose among attentions, queries, keys and values:
// indices from 0, negative ones from the end (-1 the last), empty: all. Heads keep the numbers that they had before
// others were pruned; a layer's tensors hold those of the chosen ones that it still has.
struct ForwardOptions {
  bool logits = true;  // of the model's head, where it has one
  bool last_hidden_state = false;
  bool pooler_output = false;  // where the model has a pooler
  bool hidden_states = false;
  bool attentions = false;
  bool queries_keys_values = false;
  std::vector<int> layers = {};
  std::vector<int> heads = {};
  std::vector<std::size_t> attention_queries =
      {};  // rows of attentions to keep, positions 0 … n - 1; empty: all
  // Attentions of the layers and heads chosen, of each query only the keys that it sees: what a long text's
  // attention, which is a window or blocks, takes up without an n × n matrix.
  bool compact_attentions = false;
  // Of a model whose attention is a window: the tokens that see, and are seen by, all others, positions 0 … n - 1.
  // None: as the model's head has it (the first token for classification, the question for question answering).
  std::optional<std::vector<std::size_t>> global_tokens = {};
  std::size_t task_type_id = 0;  // of a model that tells tasks apart (ERNIE)
  // What each head's probabilities are multiplied by, as transformers' head_mask: [layers][heads] from 0 (off) to 1; empty:
  // all 1. The attentions kept are those after it. Values of pruned heads are not read.
  std::vector<std::vector<float>> head_mask = {};
  // Of a head that reads every token: logits of the tokens with this id alone, in their order, [count, outputs].
  std::optional<std::int32_t> logits_of_token = {};
};

// One layer's attention of one input in the compact form. Query i sees the keys of ranges
// first_range[i] … first_range[i + 1] - 1, in that order; its weights begin at first_weight[i].
struct CompactAttention {
  std::vector<std::size_t> first_range;   // [n + 1]
  std::vector<Span> ranges;               // of keys
  std::vector<std::size_t> first_weight;  // [n + 1]
  Tensor weights;                         // [heads, first_weight[n]]

  // The n × n matrix of one of the heads kept, row = query; [n, n].
  Tensor expand(std::size_t head) const;
};

// n: tokens that are not padding. What was not asked for, or what the model does not have, is empty.
struct ForwardResult {
  std::optional<Tensor>
      logits;  // [labels]; per-token heads [n, labels], a single label [n]; masked LM [n, vocab_size]
  std::optional<Tensor> start_logits;       // [n], question answering
  std::optional<Tensor> end_logits;         // [n], question answering
  std::optional<Tensor> last_hidden_state;  // [n, hidden_size]
  std::optional<Tensor> pooler_output;      // [hidden_size]
  std::optional<Tensor> hidden_states;  // [num_hidden_layers + 1, n, hidden_size]; 0: the embeddings' output
  std::vector<Tensor> attentions;       // one [heads, n, n] a layer asked for: row = query, column = key;
                                        // with attention_queries [heads, attention_queries, n], in that order
  std::vector<CompactAttention> compact_attentions;  // one a layer asked for
  std::vector<Tensor> queries, keys, values;         // one [heads, n, head_size] a layer asked for
};

// Work that is done in steps, so that the caller can show progress, stop, or let others run.
// A Run uses its Model, which must live longer. Several runs of one model may be open at once.
class Run {
 public:
  virtual ~Run() = default;
  // Does at least one unit of work and at most about `work` multiply-adds; false when all is done.
  virtual bool step(std::uint64_t work) = 0;
  virtual std::uint64_t work_done() const = 0;  // multiply-adds, never more than work_total()
  virtual std::uint64_t work_total() const = 0;
  // Steps until all is done.
  void finish();
};

// ---------------------------------------------------------------------------------------------
// Tasks: options and results

// What truncation left out of one text: the text from UTF-16 unit `start` on was not read.
struct Cut {
  bool in_pair = false;  // of text_pair rather than text
  std::uint32_t start = 0;
};

// window: in several passes, over windows that share some tokens.
enum class Overlong { truncate, window, error };

// How a task reads its texts, and with which heads.
struct TextOptions {
  Overlong overlong = Overlong::truncate;  // what is done with a text that is too long
  // Tokens of one pass at most, special ones included; more than the model takes counts as the model's.
  std::optional<std::size_t> max_length = {};
  // Tokens that a window shares with the one before; without it half of max_length, at most 128.
  std::optional<std::size_t> stride = {};
  bool parse_special_tokens = true;                // as TokenizeOptions'
  std::vector<std::vector<float>> head_mask = {};  // as ForwardOptions'
};

// From logits to scores; automatic: as the model's problem type has it.
enum class ScoreFunction { automatic, softmax, sigmoid, none };

struct ClassifyOptions {
  std::size_t top_k = 0;                // 0: all labels
  std::optional<float> threshold = {};  // labels of a lower score are left out; of probabilities 0 to 1
  ScoreFunction function = ScoreFunction::automatic;
  TextOptions text = {};  // over windows the logits' mean is taken
};

struct LabelScore {
  std::string label;
  float score;
};

struct Classification {
  std::vector<LabelScore> labels;  // by falling score
  std::vector<Cut> truncated;      // empty: all was read
};

enum class AttentionQuery { cls, index, all };
enum class HeadReduction { none, mean, max };
enum class LayerReduction { none, mean, max };
// minmax_heads: each key's weights over the heads to 0..1, as scikit-learn's MinMaxScaler (a constant column gives 0).
// sum: each row of keys divided by its sum.
enum class AttentionScale { none, minmax_heads, sum };

// Of a pruned model, weights of the heads that a layer lacks are 0; the mean over the heads of a layer is that of the
// heads it has. Layers are reduced before heads; where both are reduced alike, heads in each layer first.
struct AttentionOptions {
  AttentionQuery query = AttentionQuery::cls;
  std::size_t query_index =
      0;  // for AttentionQuery::index: a token, or with `words` a word, of the result's lists
  std::vector<int> layers = {};  // empty: all; negatives count from the end
  std::vector<int> heads = {};   // empty: all
  HeadReduction reduce_heads = HeadReduction::none;
  LayerReduction reduce_layers = LayerReduction::none;
  AttentionScale scale = AttentionScale::none;
  bool special_tokens = false;  // keep special tokens among the keys (and queries)
  bool words = false;           // merge the pieces of a word: sum over keys, mean over queries
  TextOptions text = {};        // windows are refused
};

struct AttendedToken {
  std::string text;          // the token as the vocabulary spells it; of a word, its text in the input
  std::int32_t id = -1;      // -1 for a word
  Span offsets;              // UTF-16, within its own text
  std::int32_t sequence_id;  // 0 text, 1 text_pair, -1 special
  std::int32_t word_id;      // word within its own text, -1 special
};

struct AttentionResult {
  std::vector<AttendedToken> tokens;  // all tokens, special ones included, in the model's order
  std::vector<AttendedToken> words;   // all words and special tokens, in the same order
  std::vector<std::size_t> keys;      // which of tokens (with `words`: of words) the key axis holds
  Tensor weights;                     // shape as `axes` name it
  std::vector<std::string> axes;      // of "layer", "head", "query", "key", those that are left
  // Share of its attention that the query (mean over queries, heads and layers asked for) gave to each special
  // token, as (token index, share).
  std::vector<std::pair<std::size_t, float>> special_share;
  std::vector<Cut> truncated;
  std::vector<LabelScore> labels;  // the classification of the same run, where the model classifies
};

// none: every token that is not left out. The others merge neighbours of the same entity: simple token by token, first,
// average and max after the tokens of a word have agreed on the first one's label, the best mean score, the best score,
// all as Hugging Face's pipeline; word as average, over the tokenizer's own words, which it never cuts.
enum class Aggregation { none, simple, first, average, max, word };

struct EntityOptions {
  Aggregation aggregation = Aggregation::none;
  std::vector<std::string> ignore_labels = {"O"};  // entities of these names are left out
  TextOptions text =
      {};  // over windows a token's scores are those of the window where it stands farthest inside
};

struct Entity {
  std::string entity;  // the label, merged without its B-, I-, E-, S-, L- or U-
  float score = 0;     // merged: the mean of what it is made of
  std::string
      word;      // the token; merged: its tokens put together; with Aggregation::word the text of the span
  Span offsets;  // UTF-16
  std::optional<std::size_t> index = {};  // of the token, special ones included; merged: none
};

struct Entities {
  std::vector<Entity> entities;  // in the order of the text
  std::vector<Cut> truncated;
};

struct FillMaskOptions {
  std::size_t top_k = 5;
  // The words to choose from, as the vocabulary spells them or as texts of one token; empty: all.
  std::vector<std::string> targets = {};
  TextOptions text = {};  // windows are refused; special tokens are always read as such
};

struct FilledMask {
  float score;         // probability, 0 to 1
  std::int32_t token;  // id
  std::string token_text;
  std::string
      sequence;  // the text with the mask filled; where there are several masks, with its special tokens
};

struct FilledMasks {
  std::vector<std::vector<FilledMask>> masks;  // one list a mask, by falling score
  std::vector<Cut> truncated;
};

struct AnswerOptions {
  std::size_t top_k = 1;
  std::size_t max_answer_length = 15;  // tokens
  bool allow_no_answer = false;        // the empty answer competes
  bool align_to_words = true;          // an answer that begins or ends within a word takes in all of it
  // max_length without it: 384, or what the model takes.
  TextOptions text = {.overlong = Overlong::window};
};

struct Answer {
  std::string answer;  // of the context; empty: there is none
  float score;         // probability of its first times of its last token; spans of the same text add up
  Span offsets;        // UTF-16, in the context
};

struct Answers {
  std::vector<Answer> answers;  // by falling score
  std::vector<Cut> truncated;
};

struct NextSentence {
  bool is_next;
  float score;  // probability that text_pair follows text
  std::vector<Cut> truncated;
};

enum class Pooling { mean, cls, max, none };

struct EmbedOptions {
  // Without it as the folder of sentence-transformers says, else mean. none: a vector a token.
  std::optional<Pooling> pooling = {};
  // The hidden state, 0 … num_hidden_layers; negatives count from the end; without it the last.
  std::optional<int> layer = {};
  std::optional<bool> normalize = {};  // to length 1; without it as the folder says, else not
  // Put before the text. Without both the folder's default prompt, where there is one.
  std::optional<std::string> prompt = {};
  std::optional<std::string> prompt_name = {};  // one of ModelInfo::sentence's
  std::size_t task_type_id = 0;                 // as ForwardOptions'
  TextOptions text = {};                        // windows are refused
};

struct Embedding {
  Tensor vector;  // [size]; Pooling::none [n, hidden_size]
  std::vector<Cut> truncated;
};

struct ZeroShotOptions {
  std::string hypothesis_template = "This example is {}.";  // {} is the label
  bool multi_label = false;                                 // each label on its own instead of one of them
  TextOptions text = {};                                    // windows are refused
};

struct RankOptions {
  std::size_t top_k = 0;  // 0: all
  TextOptions text = {};  // windows are refused
};

struct Ranked {
  std::size_t index;  // of the document
  float score;
};

// What is explained: one logit. Tokens count without padding, special ones included.
struct ExplainTarget {
  // Of what the head tells apart: a label; for masked language models a token's id; for next sentences 0, "is next", or
  // 1. None: that of the greatest logit.
  std::optional<std::size_t> label = {};
  // Of a head that reads every token: the position. None: for masked language models the first mask token, for question
  // answering the position of the greatest logit.
  std::optional<std::size_t> token = {};
  bool end = false;  // question answering: where the answer ends instead of where it starts
};

enum class ExplainMethod {
  gradient_input,
  integrated_gradients,
  relevance,
  rollout,
  flow,
  norms,
  head_importance,
  occlusion,
  value_zeroing,
};

// zero: of the embeddings' output; padding: of the word embeddings, the padding token's but at special tokens.
enum class Baseline { zero, padding };

struct ExplainOptions {
  ExplainMethod method = ExplainMethod::gradient_input;
  ExplainTarget target = {};
  std::size_t steps = 50;                          // of integrated gradients, 1 … 1000
  Baseline baseline = Baseline::zero;              // of integrated gradients
  bool remove = false;                             // occlusion takes tokens out instead of masking them
  bool words = false;                              // occlusion takes a word's tokens together
  bool details = false;                            // what the scores are made of, too
  bool attention_gradients = false;                // of all layers, for gradient_input
  std::vector<std::vector<float>> head_mask = {};  // as ForwardOptions'
  std::optional<std::vector<std::size_t>> global_tokens = {};  // as ForwardOptions'
  std::size_t task_type_id = 0;                                // as ForwardOptions'
};

// How far the sum of all attributions is from what it should be: error = (logit - baseline) - sum.
struct Completeness {
  float baseline = 0;  // the target's logit there
  float sum = 0;
  float error = 0;
};

// n: tokens that are not padding. Methods that look at attention alone (rollout, flow, norms, value_zeroing) have no
// target but token, 0 without it, and no logits.
struct Explanation {
  ExplainMethod method = ExplainMethod::gradient_input;
  ExplainTarget target;  // with what was found where it was left out
  // [n], each token's part in the target's logit; of methods that look at attention alone, in the token's own
  // representation. head_importance: [layers, num_attention_heads], 0 for pruned heads.
  Tensor scores;
  // occlusion: how much the target's probability falls, [n]. Words' tokens share alike.
  std::optional<Tensor> probability_scores = {};
  // What the target's logit competes with: [labels], [vocab_size], or for question answering [n]; its place among
  // these, and what it gives as a probability (regression: the logit itself).
  std::optional<Tensor> logits = {};
  std::size_t target_logit = 0;
  float probability = 0;
  // The greatest distance of the logits from those of the ordinary forward pass, where int8 weights make them two.
  std::optional<float> forward_distance = {};
  std::optional<Completeness> completeness = {};  // integrated_gradients
  // gradient_input: the gradient of the embeddings' output [n, e], before a projection to the model's width;
  // integrated_gradients: the attributions [n, e]; relevance, rollout: from every token to every token [n, n];
  // norms: one [heads, n, n] a layer; value_zeroing: one [n, n] a layer.
  std::vector<Tensor> details = {};
  std::vector<Tensor> attention_gradients = {};  // one [heads, n, n] a layer
};

// A task's run and its result, one entry an input, in order. result() ends what is not done yet.
template <typename Result>
class Task : public Run {
 public:
  virtual std::vector<Result> result() = 0;
};

// ---------------------------------------------------------------------------------------------
// The model

enum class Precision { automatic, float32, int8 };  // automatic: what the folder holds, int8 before float32

struct LoadOptions {
  Precision precision = Precision::automatic;
  bool scalar_kernels = false;  // the kernels' plain definitions, for engines that compute SIMD wrongly
  // That work on one text or batch, 1 … 64, the caller's among them. Results are the same to the bit. Where the system
  // gives fewer, those run; short inputs use fewer.
  std::size_t threads = 1;
};

// What a sentence-transformers folder says of the vectors that its model makes of texts.
struct SentenceInfo {
  // "cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"; several are joined in this order.
  std::vector<std::string> pooling;
  bool normalize = false;                                    // to length 1
  bool include_prompt = true;                                // whether the pooling takes in a prompt's tokens
  std::optional<std::size_t> max_seq_length = {};            // tokens, special ones included
  std::vector<std::pair<std::string, std::string>> prompts;  // name, text before the input
  std::string default_prompt_name;                           // empty: none
  // Modules that change the vectors and are not computed, "2_Dense (sentence_transformers.models.Dense)". While there
  // is one, the vectors that the folder means cannot be had.
  std::vector<std::string> unsupported;
};

struct ModelInfo {
  std::string family;        // config.json's model_type
  std::string architecture;  // "BertForSequenceClassification"; empty for a bare encoder
  std::string dtype;         // of the weights as they run: "float32", "int8"
  std::string stored_dtype;  // of the weights as stored: "F16"
  std::size_t num_hidden_layers = 0;
  std::size_t num_attention_heads = 0;  // of a layer that lost none
  // By layer, ascending: the heads that config.json's pruned_heads took out. Empty: none.
  std::vector<std::vector<std::size_t>> pruned_heads;
  std::size_t hidden_size = 0;
  std::size_t intermediate_size = 0;
  std::size_t vocab_size = 0;
  std::size_t max_length = 0;  // tokens, special ones included: the least that positions, tokenizer and
                               // max_seq_length allow
  std::size_t parameters = 0;
  std::uint64_t weight_bytes = 0;  // resident
  std::string problem_type;        // of a classifier: config.json's, or what Hugging Face infers
  std::vector<std::string> labels;
  std::optional<std::string> mask_token;  // "[MASK]", "<mask>"
  std::vector<std::string>
      tasks;  // calls that fit: "classify", "entities" …; "embed", "attention" and "forward" always
  std::optional<SentenceInfo> sentence;  // of a sentence-transformers folder
  std::vector<std::string> ignored;      // tensors and modules that were not used
};

class EncoderModel;  // src/model

class Model {
 public:
  // A Hugging Face folder (config.json, tokenizer files, model.safetensors or pytorch_model.bin, single or sharded)
  // or a pack of ours.
  static Model load(const std::filesystem::path& folder, const LoadOptions& options = {});

  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  const ModelInfo& info() const;
  const Tokenizer& tokenizer() const;

  // One Encoding an entry; padded positions (attention_mask 0) are left out of the computation.
  std::unique_ptr<Task<ForwardResult>> begin_forward(std::span<const Encoding> encodings,
                                                     const ForwardOptions& options) const;
  std::unique_ptr<Task<Classification>> begin_classify(std::span<const Input> inputs,
                                                       const ClassifyOptions& options) const;
  std::unique_ptr<Task<AttentionResult>> begin_attention(std::span<const Input> inputs,
                                                         const AttentionOptions& options) const;
  std::unique_ptr<Task<Entities>> begin_entities(std::span<const Input> inputs,
                                                 const EntityOptions& options) const;
  std::unique_ptr<Task<FilledMasks>> begin_fill_mask(std::span<const Input> inputs,
                                                     const FillMaskOptions& options) const;
  // text: the question, text_pair: the context.
  std::unique_ptr<Task<Answers>> begin_answer(std::span<const Input> inputs,
                                              const AnswerOptions& options) const;
  std::unique_ptr<Task<Embedding>> begin_embed(std::span<const Input> inputs,
                                               const EmbedOptions& options) const;
  std::unique_ptr<Task<NextSentence>> begin_next_sentence(std::span<const Input> inputs,
                                                          const TextOptions& options) const;
  // One classification an input; its labels are those given.
  std::unique_ptr<Task<Classification>> begin_zero_shot(std::span<const Input> inputs,
                                                        std::span<const std::string> labels,
                                                        const ZeroShotOptions& options) const;
  // text: the query, text_pair: one of the documents. The result is one list by falling score.
  std::unique_ptr<Task<Ranked>> begin_rank(std::span<const Input> pairs, const RankOptions& options) const;

  // Why the model says what it says of one input; the result is one. Works with float32 activations: int8 weights are
  // multiplied out as they are used. Memory beside the model: src/explain/pass.h.
  // Throws E_INVALID_ARGUMENT (a target, head mask or step count out of range; flow over more than 128 tokens; occlusion
  // where the tokenizer has no token to put in the place of others), E_TASK_MISMATCH (a method that needs a head).
  std::unique_ptr<Task<Explanation>> begin_explain(const Encoding& encoding,
                                                   const ExplainOptions& options) const;

  // The same, to the end.
  std::vector<ForwardResult> forward(std::span<const Encoding> encodings,
                                     const ForwardOptions& options = {}) const;
  std::vector<Classification> classify(std::span<const Input> inputs,
                                       const ClassifyOptions& options = {}) const;
  std::vector<AttentionResult> attention(std::span<const Input> inputs,
                                         const AttentionOptions& options = {}) const;
  std::vector<Entities> entities(std::span<const Input> inputs, const EntityOptions& options = {}) const;
  std::vector<FilledMasks> fill_mask(std::span<const Input> inputs,
                                     const FillMaskOptions& options = {}) const;
  std::vector<Answers> answer(std::span<const Input> inputs, const AnswerOptions& options = {}) const;
  std::vector<Embedding> embed(std::span<const Input> inputs, const EmbedOptions& options = {}) const;
  std::vector<NextSentence> next_sentence(std::span<const Input> inputs,
                                          const TextOptions& options = {}) const;
  std::vector<Classification> zero_shot(std::span<const Input> inputs, std::span<const std::string> labels,
                                        const ZeroShotOptions& options = {}) const;
  std::vector<Ranked> rank(std::span<const Input> pairs, const RankOptions& options = {}) const;
  Explanation explain(const Encoding& encoding, const ExplainOptions& options = {}) const;

 private:
  friend class ModelLoader;
  explicit Model(std::unique_ptr<EncoderModel> model);
  std::unique_ptr<EncoderModel> model_;
};

// Loads a model from bytes that arrive piece by piece, as from a network:
//   small files -> wanted() -> weights in any chunks -> finish().
class ModelLoader {
 public:
  explicit ModelLoader(const LoadOptions& options = {});
  ~ModelLoader();

  // Names that are read when the folder has them, in the order in which to ask for them; "1_Pooling/config.json" lies
  // in a folder within it. Only config.json must be there.
  static std::vector<std::string> small_files();
  void add_file(File file);

  // The weight files to stream, in order, once the small files are added. `listing`: names in the folder, where
  // they are known; else the first choice is named and may turn out to be missing, then call again with
  // that name in `missing`. Throws E_NOT_FOUND when nothing is left to try.
  std::vector<std::string> weight_files(std::span<const std::string> listing,
                                        std::span<const std::string> missing);

  // Bytes that the sum of all weight files will have, as far as is known from manifest and index; 0: not known.
  std::uint64_t expected_weight_bytes() const;

  void begin_weights(const std::string& name, std::optional<std::uint64_t> size);
  void feed(std::span<const std::byte> bytes);
  void end_weights();

  Model finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// ---------------------------------------------------------------------------------------------
// Packing

// Quantises a weight file to int8 while it streams (docs/format.md): symmetric, one scale a row.
// Output arrives through `write`, each part with its place in the packed file; nothing is kept.
class Packer {
 public:
  using Write = std::function<void(std::uint64_t offset, std::span<const std::byte>)>;
  // file: its name, which tells its form: "model.safetensors", "pytorch_model.bin" or a shard of these.
  explicit Packer(Write write, std::string file = "model.safetensors");
  ~Packer();
  void feed(std::span<const std::byte> bytes);  // the whole file, in any chunks
  void finish();                                // throws E_MODEL_TRUNCATED when bytes are missing

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight
