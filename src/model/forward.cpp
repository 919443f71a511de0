#include "model/forward.h"

#include <algorithm>
#include <cassert>

namespace headlight {
namespace {

constexpr std::uint64_t kUnitWork = 64'000'000;  // multiply-adds that a unit aims at: a millisecond or a few
constexpr std::size_t kMinTileRows = 8 * kernels::kTileRows;  // fewer would reread the weights too often

// One of the texts in the batch: its tokens stand in rows first_row … first_row + tokens.size() - 1.
struct Sequence {
  std::size_t first_row;
  std::vector<TokenInput> tokens;

  std::size_t size() const { return tokens.size(); }
};

// Results' slots of a layer whose attention is kept; heads: the result's index of each of the layer's, or none.
struct Kept {
  std::size_t slot;
  std::vector<std::optional<std::size_t>> heads;
  std::size_t head_count;
};

class ForwardTask final : public Task<ForwardResult> {
 public:
  ForwardTask(const EncoderModel& model, std::span<const Encoding> encodings, const ForwardOptions& options);

  bool step(std::uint64_t work) override;
  std::uint64_t work_done() const override { return work_done_; }
  std::uint64_t work_total() const override { return work_total_; }
  std::vector<ForwardResult> result() override;

 private:
  struct Unit {
    std::uint64_t work;
    std::function<void()> run;
  };

  void add_sequence(const Encoding& encoding, std::size_t index);
  void choose_kept();
  void allocate();
  void plan();
  void plan_layer(std::size_t index);
  void plan_head();
  void add(std::uint64_t work, std::function<void()> run);
  // One unit for each tile of `rows` rows: run(first, count).
  void add_tiles(std::size_t rows, std::uint64_t work_per_row,
                 std::function<void(std::size_t, std::size_t)> run);

  void attend(std::size_t layer, std::size_t sequence, std::size_t head, bool first_query_only);
  void keep_queries_keys_values(std::size_t layer, std::size_t sequence);
  void keep_hidden_state(std::size_t index);
  void gather_first_tokens(MutableRows rows, std::size_t columns) const;

  // Rows of a kept attention matrix.
  std::size_t kept_queries(std::size_t sequence) const {
    return options_.attention_queries.empty() ? sequences_[sequence].size()
                                              : options_.attention_queries.size();
  }
  MutableRows hidden() { return {hidden_.data(), hidden_size_}; }
  MutableRows projected(Buffer& buffer) { return {buffer.data(), projected_size_}; }

  const EncoderModel& model_;
  const Table& kernels_;
  ForwardOptions options_;
  std::vector<Sequence> sequences_;
  std::size_t rows_ = 0;  // of all sequences
  std::size_t hidden_size_;
  std::size_t projected_size_ = 0;         // heads * head_size, the greatest of all layers
  std::vector<std::optional<Kept>> kept_;  // by layer
  bool run_head_;
  bool run_pooler_;
  bool first_tokens_only_;  // nothing needs the other rows of the last layer

  Buffer hidden_, queries_, keys_, values_, context_;
  LayerScratch layer_scratch_;
  AttentionScratch attention_scratch_;

  std::vector<Unit> units_;
  std::size_t next_unit_ = 0;
  std::uint64_t work_done_ = 0;
  std::uint64_t work_total_ = 0;
  std::vector<ForwardResult> results_;
};

Tensor make_tensor(std::vector<std::size_t> shape) {
  std::size_t size = 1;
  for (const std::size_t dimension : shape) size *= dimension;
  return {.data = std::vector<float>(size), .shape = std::move(shape)};
}

ForwardTask::ForwardTask(const EncoderModel& model, std::span<const Encoding> encodings,
                         const ForwardOptions& options)
    : model_(model), kernels_(*model.kernels), options_(options), hidden_size_(model.info.hidden_size) {
  for (std::size_t i = 0; i < encodings.size(); ++i) add_sequence(encodings[i], i);
  choose_kept();
  run_head_ = options.logits && model.head;
  run_pooler_ = options.pooler_output && model.pooler.present();
  first_tokens_only_ = !options.last_hidden_state && !options.hidden_states &&
                       !(run_head_ && model.head->reads() == Head::Reads::all_tokens);
  allocate();
  plan();
}

void ForwardTask::add_sequence(const Encoding& encoding, std::size_t index) {
  const auto fail = [&](ErrorCode code, const std::string& message) {
    throw Error(code, "Input " + std::to_string(index) + ": " + message);
  };
  if (encoding.ids.size() != encoding.type_ids.size() ||
      encoding.ids.size() != encoding.attention_mask.size()) {
    fail(ErrorCode::E_INVALID_ARGUMENT, "ids, type_ids and attention_mask differ in length");
  }
  Sequence sequence{.first_row = rows_, .tokens = {}};
  for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
    if (encoding.attention_mask[i] == 0) continue;
    const TokenInput token{.id = encoding.ids[i],
                           .type_id = model_.type_vocab_size > 0 ? encoding.type_ids[i] : 0,
                           .position = model_.embeddings->position(encoding.ids, i)};
    if (token.id < 0 || static_cast<std::size_t>(token.id) >= model_.info.vocab_size) {
      fail(ErrorCode::E_INVALID_ARGUMENT, "the token id " + std::to_string(token.id) +
                                              " is outside the vocabulary of " +
                                              std::to_string(model_.info.vocab_size));
    }
    if (token.type_id < 0 ||
        (model_.type_vocab_size > 0 && static_cast<std::size_t>(token.type_id) >= model_.type_vocab_size)) {
      fail(ErrorCode::E_INVALID_ARGUMENT, "the token type " + std::to_string(token.type_id) +
                                              " is not one of " + std::to_string(model_.type_vocab_size));
    }
    if (token.position >= model_.max_positions) {
      fail(ErrorCode::E_TOO_LONG, std::to_string(encoding.ids.size()) + " tokens, the model takes " +
                                      std::to_string(model_.info.max_length));
    }
    sequence.tokens.push_back(token);
  }
  if (sequence.tokens.empty()) fail(ErrorCode::E_INVALID_ARGUMENT, "there is no token");
  for (const std::size_t query : options_.attention_queries) {
    if (query < sequence.size()) continue;
    fail(ErrorCode::E_INVALID_ARGUMENT, "there is no query " + std::to_string(query) + " among " +
                                            std::to_string(sequence.size()) + " tokens");
  }
  rows_ += sequence.size();
  sequences_.push_back(std::move(sequence));
}

void ForwardTask::choose_kept() {
  kept_.resize(model_.layers.size());
  const auto layers = resolve_indices(options_.layers, model_.layers.size(), "layer");
  const bool keep = options_.attentions || options_.queries_keys_values;
  for (std::size_t slot = 0; slot < layers.size(); ++slot) {
    const std::size_t heads_of_layer = model_.layers[layers[slot]]->num_attention_heads();
    const auto heads = resolve_indices(options_.heads, heads_of_layer, "head");
    if (!keep) continue;
    Kept kept{.slot = slot,
              .heads = std::vector<std::optional<std::size_t>>(heads_of_layer),
              .head_count = heads.size()};
    for (std::size_t i = 0; i < heads.size(); ++i) kept.heads[heads[i]] = i;
    kept_[layers[slot]] = std::move(kept);
  }
}

void ForwardTask::allocate() {
  for (const auto& layer : model_.layers) {
    projected_size_ =
        std::max(projected_size_, layer->num_attention_heads() * layer->attention().head_size());
  }
  hidden_ = Buffer(rows_ * hidden_size_);
  for (Buffer* buffer : {&queries_, &keys_, &values_, &context_}) *buffer = Buffer(rows_ * projected_size_);

  results_.resize(sequences_.size());
  for (std::size_t s = 0; s < sequences_.size(); ++s) {
    ForwardResult& result = results_[s];
    const std::size_t n = sequences_[s].size();
    if (options_.hidden_states)
      result.hidden_states = make_tensor({model_.layers.size() + 1, n, hidden_size_});
    if (options_.last_hidden_state) result.last_hidden_state = make_tensor({n, hidden_size_});
    if (run_pooler_) result.pooler_output = make_tensor({hidden_size_});
    for (std::size_t l = 0; l < kept_.size(); ++l) {
      if (!kept_[l]) continue;
      const std::size_t slots = kept_[l]->slot + 1;
      const auto make = [&](std::vector<Tensor>& tensors, std::size_t rows, std::size_t columns) {
        if (tensors.size() < slots) tensors.resize(slots);
        tensors[kept_[l]->slot] = make_tensor({kept_[l]->head_count, rows, columns});
      };
      if (options_.attentions) make(result.attentions, kept_queries(s), n);
      if (options_.queries_keys_values) {
        for (auto* tensors : {&result.queries, &result.keys, &result.values}) {
          make(*tensors, n, model_.layers[l]->attention().head_size());
        }
      }
    }
  }
}

void ForwardTask::add(std::uint64_t work, std::function<void()> run) {
  units_.push_back({work, std::move(run)});
  work_total_ += work;
}

void ForwardTask::add_tiles(std::size_t rows, std::uint64_t work_per_row,
                            std::function<void(std::size_t, std::size_t)> run) {
  const std::size_t fitting = static_cast<std::size_t>(kUnitWork / std::max<std::uint64_t>(work_per_row, 1));
  const std::size_t tile = std::max(kMinTileRows, fitting / kernels::kTileRows * kernels::kTileRows);
  for (std::size_t first = 0; first < rows; first += tile) {
    const std::size_t count = std::min(tile, rows - first);
    add(count * work_per_row, [run, first, count] { run(first, count); });
  }
}

void ForwardTask::plan() {
  for (const Sequence& sequence : sequences_) {
    add_tiles(sequence.size(), model_.embeddings->work(),
              [this, &sequence](std::size_t first, std::size_t count) {
                const MutableRows out{hidden().row(sequence.first_row + first), hidden_size_};
                model_.embeddings->forward(kernels_, sequence.tokens, first, count, out);
              });
  }
  if (options_.hidden_states) add(0, [this] { keep_hidden_state(0); });
  for (std::size_t l = 0; l < model_.layers.size(); ++l) plan_layer(l);
  plan_head();
}

void ForwardTask::plan_layer(std::size_t index) {
  const Layer& layer = *model_.layers[index];
  const bool narrow = first_tokens_only_ && index + 1 == model_.layers.size();
  const bool first_query_only = narrow && !kept_[index];
  const std::size_t out_rows = narrow ? sequences_.size() : rows_;

  const auto project = [this, &layer](bool queries, bool keys_values) {
    return [this, &layer, queries, keys_values](std::size_t first, std::size_t count) {
      const MutableRows q{projected(queries_).row(first), projected_size_};
      const MutableRows k{projected(keys_).row(first), projected_size_};
      const MutableRows v{projected(values_).row(first), projected_size_};
      layer.project(kernels_, {hidden().row(first), hidden_size_, count},
                    {.queries = queries ? &q : nullptr,
                     .keys = keys_values ? &k : nullptr,
                     .values = keys_values ? &v : nullptr},
                    layer_scratch_);
    };
  };
  if (first_query_only) {
    add_tiles(rows_, layer.keys_values_work(), project(false, true));
    add(0, [this] { gather_first_tokens(hidden(), hidden_size_); });
    add_tiles(sequences_.size(), layer.queries_work(), project(true, false));
  } else {
    add_tiles(rows_, layer.queries_work() + layer.keys_values_work(), project(true, true));
  }
  for (std::size_t s = 0; s < sequences_.size(); ++s) {
    const std::size_t n = sequences_[s].size();
    for (std::size_t head = 0; head < layer.num_attention_heads(); ++head) {
      add(layer.attention().work(first_query_only ? 1 : n, n),
          [this, index, s, head, first_query_only] { attend(index, s, head, first_query_only); });
    }
    if (kept_[index] && options_.queries_keys_values)
      add(0, [this, index, s] { keep_queries_keys_values(index, s); });
  }
  if (narrow && !first_query_only) {
    add(0, [this] {
      gather_first_tokens(hidden(), hidden_size_);
      gather_first_tokens(projected(context_), projected_size_);
    });
  }
  add_tiles(out_rows, layer.combine_work(), [this, &layer](std::size_t first, std::size_t count) {
    const MutableRows rows{hidden().row(first), hidden_size_};
    layer.combine(kernels_, rows.first(count), {projected(context_).row(first), projected_size_, count}, rows,
                  layer_scratch_);
  });
  if (options_.hidden_states) add(0, [this, index] { keep_hidden_state(index + 1); });
}

void ForwardTask::plan_head() {
  for (std::size_t s = 0; s < sequences_.size(); ++s) {
    const std::size_t n = sequences_[s].size();
    const std::size_t first_token = first_tokens_only_ ? s : sequences_[s].first_row;
    ForwardResult& result = results_[s];
    if (options_.last_hidden_state) {
      add(0, [this, &result, first_token] {
        std::copy_n(hidden().row(first_token), result.last_hidden_state->data.size(),
                    result.last_hidden_state->data.begin());
      });
    }
    if (run_pooler_) {
      add(model_.pooler.work(), [this, &result, first_token] {
        model_.pooler.forward(kernels_, {hidden().row(first_token), hidden_size_, 1},
                              {result.pooler_output->data.data(), hidden_size_});
      });
    }
    if (!run_head_) continue;
    const Head& head = *model_.head;
    const bool all_tokens = head.reads() == Head::Reads::all_tokens;
    result.logits = all_tokens ? make_tensor({n, head.outputs()}) : make_tensor({head.outputs()});
    add_tiles(all_tokens ? n : 1, head.work(),
              [this, &head, &result, first_token](std::size_t first, std::size_t count) {
                head.forward(kernels_, {hidden().row(first_token + first), hidden_size_, count},
                             {result.logits->data.data() + first * head.outputs(), head.outputs()});
              });
    if (head.kind() == Head::Kind::question_answering) {
      add(0, [&result, n] {
        const Tensor both = std::move(*result.logits);  // [n, 2]
        result.logits.reset();
        result.start_logits = make_tensor({n});
        result.end_logits = make_tensor({n});
        for (std::size_t i = 0; i < n; ++i) {
          result.start_logits->data[i] = both.data[2 * i];
          result.end_logits->data[i] = both.data[2 * i + 1];
        }
      });
    }
  }
}

void ForwardTask::attend(std::size_t layer, std::size_t sequence, std::size_t head, bool first_query_only) {
  const SelfAttention& attention = model_.layers[layer]->attention();
  const std::size_t n = sequences_[sequence].size();
  const std::size_t first_row = sequences_[sequence].first_row;
  const std::size_t query_row = first_query_only ? sequence : first_row;
  const std::size_t column = head * attention.head_size();

  KeptProbabilities kept{.rows = {nullptr, n}, .queries = options_.attention_queries};
  if (kept_[layer] && options_.attentions && kept_[layer]->heads[head]) {
    float* data = results_[sequence].attentions[kept_[layer]->slot].data.data();
    kept.rows.data = data + *kept_[layer]->heads[head] * kept_queries(sequence) * n;
  }
  attention.forward(
      kernels_,
      {.queries = {projected(queries_).row(query_row) + column, projected_size_, first_query_only ? 1 : n},
       .first_query = 0,
       .keys = {projected(keys_).row(first_row) + column, projected_size_, n},
       .values = {projected(values_).row(first_row) + column, projected_size_, n},
       .head = head},
      {projected(context_).row(query_row) + column, projected_size_}, kept.rows.data ? &kept : nullptr,
      attention_scratch_);
}

void ForwardTask::keep_queries_keys_values(std::size_t layer, std::size_t sequence) {
  const Kept& kept = *kept_[layer];
  const std::size_t head_size = model_.layers[layer]->attention().head_size();
  const auto keep = [&](Buffer& from, Tensor& to) {
    float* out = to.data.data();
    for (std::size_t head = 0; head < kept.heads.size(); ++head) {
      if (!kept.heads[head]) continue;
      for (std::size_t i = 0; i < sequences_[sequence].size(); ++i) {
        std::copy_n(projected(from).row(sequences_[sequence].first_row + i) + head * head_size, head_size,
                    out + (*kept.heads[head] * sequences_[sequence].size() + i) * head_size);
      }
    }
  };
  keep(queries_, results_[sequence].queries[kept.slot]);
  keep(keys_, results_[sequence].keys[kept.slot]);
  keep(values_, results_[sequence].values[kept.slot]);
}

void ForwardTask::keep_hidden_state(std::size_t index) {
  for (std::size_t s = 0; s < sequences_.size(); ++s) {
    const std::size_t size = sequences_[s].size() * hidden_size_;
    std::copy_n(hidden().row(sequences_[s].first_row), size,
                results_[s].hidden_states->data.data() + index * size);
  }
}

// Row s becomes the first token's row of sequence s; these never stand before row s.
void ForwardTask::gather_first_tokens(MutableRows rows, std::size_t columns) const {
  for (std::size_t s = 0; s < sequences_.size(); ++s) {
    if (sequences_[s].first_row != s) std::copy_n(rows.row(sequences_[s].first_row), columns, rows.row(s));
  }
}

bool ForwardTask::step(std::uint64_t work) {
  std::uint64_t spent = 0;
  while (next_unit_ < units_.size()) {
    const Unit& unit = units_[next_unit_];
    if (spent > 0 && spent + unit.work > work) break;
    unit.run();
    ++next_unit_;
    spent += unit.work;
  }
  work_done_ += spent;
  return next_unit_ < units_.size();
}

std::vector<ForwardResult> ForwardTask::result() {
  finish();
  return std::move(results_);
}

}  // namespace

std::vector<std::size_t> resolve_indices(std::span<const int> chosen, std::size_t count,
                                         std::string_view what) {
  std::vector<std::size_t> indices;
  if (chosen.empty()) {
    for (std::size_t i = 0; i < count; ++i) indices.push_back(i);
    return indices;
  }
  for (const int index : chosen) {
    const auto signed_count = static_cast<std::int64_t>(count);
    const std::int64_t resolved = index < 0 ? index + signed_count : index;
    if (resolved < 0 || resolved >= signed_count) {
      throw Error(ErrorCode::E_INVALID_ARGUMENT, "There is no " + std::string(what) + " " +
                                                     std::to_string(index) + ": the model has " +
                                                     std::to_string(count));
    }
    if (std::find(indices.begin(), indices.end(), resolved) != indices.end()) {
      throw Error(ErrorCode::E_INVALID_ARGUMENT,
                  "The " + std::string(what) + " " + std::to_string(index) + " is named twice");
    }
    indices.push_back(static_cast<std::size_t>(resolved));
  }
  return indices;
}

std::unique_ptr<Task<ForwardResult>> begin_forward(const EncoderModel& model,
                                                   std::span<const Encoding> encodings,
                                                   const ForwardOptions& options) {
  return std::make_unique<ForwardTask>(model, encodings, options);
}

}  // namespace headlight
