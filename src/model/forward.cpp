#include "model/forward.h"
#include "throw_error.h"

#include <algorithm>
#include <cassert>
#include <concepts>
#include <new>
#include <type_traits>

#include "model/head_mask.h"
#include "model/kept_attention.h"
#include "model/sequence.h"

namespace headlight {
namespace {

constexpr std::uint64_t kUnitWork = 64'000'000;  // multiply-adds that a unit aims at: a millisecond or a few
constexpr std::size_t kMinTileRows = 8 * kernels::kTileRows;  // fewer would reread the weights too often
// Multiply-adds of a phase for each thread that takes part in it: some ten times what it takes to call one.
constexpr std::uint64_t kThreadWork = 1'000'000;

// One of the texts in the batch: its tokens stand in rows first_row … first_row + count - 1.
struct Sequence {
  std::size_t first_row;
  std::size_t count;
  std::size_t padded;
  std::size_t offset;
  std::vector<std::size_t> global_tokens;

  SequenceShape shape() const { return {count, padded, offset, global_tokens}; }
};

class ForwardTask final : public Task<ForwardResult> {
 public:
  ForwardTask(const EncoderModel& model, std::span<const Encoding> encodings, const ForwardOptions& options);

  bool step(std::uint64_t work) override;
  std::uint64_t work_done() const override { return work_done_; }
  std::uint64_t work_total() const override { return work_total_; }
  std::vector<ForwardResult> result() override;

 private:
  // What a thread works with.
  struct Bench {
    OperatorScratch layer;
    AttentionScratch attention;
    // The head whose keys and values `attention` holds.
    struct Head {
      std::size_t layer, sequence, head;
      const void* memory;
      bool operator==(const Head&) const = default;
    };
    std::optional<Head> head;
  };
  // What a unit does: a function object of a few plain values, kept in place. Each std::function would bring its own
  // code to copy and to clean up.
  class Step {
   public:
    template <typename Function>
      requires(!std::same_as<Function, Step>)
    Step(Function function) {
      static_assert(std::is_trivially_copyable_v<Function> && sizeof(Function) <= sizeof(values_));
      new (values_) Function(function);
      call_ = [](const Step& step, std::size_t first, std::size_t count, Bench& bench) {
        const Function& call = *std::launder(reinterpret_cast<const Function*>(step.values_));
        if constexpr (std::invocable<const Function&, Bench&>) {
          call(bench);
        } else {
          call(first, count, bench);
        }
      };
    }
    void operator()(std::size_t first, std::size_t count, Bench& bench) const {
      call_(*this, first, count, bench);
    }

   private:
    void (*call_)(const Step&, std::size_t, std::size_t, Bench&);
    std::size_t values_[6];
  };
  // Units of one phase are independent of each other: they read what earlier phases wrote, and write to places of
  // their own.
  struct Unit {
    std::uint64_t work;
    std::size_t phase;
    std::size_t first, count;  // rows of a tile
    Step run;
  };
  // Projections of all rows, [rows, heads * head_size] each.
  struct Projected {
    Buffer queries, keys, values;
  };

  void add_sequence(const Encoding& encoding, std::size_t index);
  void allocate();
  void plan();
  void plan_layer(std::size_t index);
  void plan_projections(const Layer& layer, bool queries);
  void plan_attention(std::size_t layer);
  void plan_global_attention(std::size_t layer);
  void plan_first_queries(std::size_t layer);
  void plan_head(std::size_t sequence);
  void plan_head_of_token(std::size_t sequence, std::int32_t id);
  // What is added from here on needs all that was added before.
  void begin_phase() { ++phase_; }
  void add(std::uint64_t work, const Step& run);  // run(bench)
  // One unit for each tile of `rows` rows: run(first, count, bench).
  void add_tiles(std::size_t rows, std::uint64_t work_per_row, const Step& run);
  std::size_t tile_rows(std::size_t rows, std::uint64_t work_per_row) const;
  static std::size_t most_tile_rows(std::uint64_t work_per_row);
  std::size_t threads_for(std::uint64_t work) const;

  // Attention of `queries` [count], the first of which stands at `position`, over a sequence's keys and values.
  void attend(std::size_t layer, std::size_t sequence, std::size_t head, const Projected& memory,
              const Rows& queries, std::size_t position, MutableRows context, Bench& bench);
  void keep_hidden_state(std::size_t index);
  static void split_logits(ForwardResult& result);
  void gather_first_tokens(MutableRows rows, std::size_t columns) const;
  // True where the first token of each sequence is a global one.
  bool first_tokens_are_global() const;

  MutableRows hidden() { return {hidden_.data(), hidden_size_}; }
  Value hidden(std::size_t first, std::size_t count = 0) {
    return {{hidden().row(first), hidden_size_}, count, hidden_size_};
  }
  // Rows of what all heads of a layer have.
  Value of_heads(const Layer& layer, Buffer& buffer, std::size_t first, std::size_t count) {
    return {{projected(buffer).row(first), projected_size_},
            count,
            layer.num_attention_heads() * layer.attention().head_size()};
  }
  MutableRows projected(Buffer& buffer) { return {buffer.data(), projected_size_}; }
  Rows rows_of(const Buffer& buffer, const Sequence& sequence) const {
    return {buffer.data() + sequence.first_row * projected_size_, projected_size_, sequence.count};
  }

  const EncoderModel& model_;
  const Table& kernels_;
  ForwardOptions options_;
  KeptAttention kept_;
  HeadMask head_mask_;
  std::vector<Sequence> sequences_;
  std::vector<TokenInput> tokens_;        // [rows]
  std::vector<TokenInput> first_tokens_;  // [sequences]
  std::size_t hidden_size_;
  std::size_t projected_size_ = 0;  // heads * head_size, the greatest of all layers
  bool run_head_;
  bool run_pooler_;
  bool first_tokens_only_;  // nothing needs the other rows of the last layer

  Buffer hidden_, context_;
  Projected projected_, global_;
  Buffer layer_input_;                  // of a layer that has a convolution
  Buffer gathered_;                     // global tokens' hidden states
  std::vector<std::size_t> head_rows_;  // that a head reads, where not all
  std::vector<Bench> benches_;          // one a thread

  std::vector<Unit> units_;
  std::size_t phase_ = 0;
  std::size_t next_unit_ = 0;
  std::uint64_t work_done_ = 0;
  std::uint64_t work_total_ = 0;
  std::vector<ForwardResult> results_;
};

ForwardTask::ForwardTask(const EncoderModel& model, std::span<const Encoding> encodings,
                         const ForwardOptions& options)
    : model_(model),
      kernels_(*model.kernels),
      options_(options),
      kept_(model, options_),
      head_mask_(model, options_.head_mask),
      hidden_size_(model.info.hidden_size),
      benches_(model.pool->size()) {
  for (std::size_t i = 0; i < encodings.size(); ++i) add_sequence(encodings[i], i);
  run_head_ = options.logits && model.head;
  run_pooler_ = options.pooler_output && model.pooler && model.pooler->present();
  first_tokens_only_ = !options.last_hidden_state && !options.hidden_states &&
                       !(run_head_ && model.head->reads() != Head::Reads::first_token);
  allocate();
  plan();
}

void ForwardTask::add_sequence(const Encoding& encoding, std::size_t index) {
  TokenSequence read = read_sequence(model_, encoding, index, options_.global_tokens, options_.task_type_id);
  const std::size_t count = read.tokens.size();
  for (const std::size_t query : options_.attention_queries) {
    if (query < count) continue;
    throw_error(ErrorCode::E_INVALID_ARGUMENT,
                {"Input ", index, ": there is no query ", query, " among ", count, " tokens"});
  }
  sequences_.push_back({.first_row = tokens_.size(),
                        .count = count,
                        .padded = read.padded,
                        .offset = read.offset,
                        .global_tokens = std::move(read.global_tokens)});
  first_tokens_.push_back(read.tokens.front());
  tokens_.insert(tokens_.end(), read.tokens.begin(), read.tokens.end());
}

bool ForwardTask::first_tokens_are_global() const {
  return std::all_of(sequences_.begin(), sequences_.end(), [](const Sequence& sequence) {
    return !sequence.global_tokens.empty() && sequence.global_tokens.front() == 0;
  });
}

void ForwardTask::allocate() {
  bool has_global = false, has_convolution = false;
  for (const auto& layer : model_.layers) {
    projected_size_ =
        std::max(projected_size_, layer->num_attention_heads() * layer->attention().head_size());
    has_global = has_global || layer->has_global_projections();
    has_convolution = has_convolution || layer->convolution();
  }
  const std::size_t rows = tokens_.size();
  hidden_ = Buffer(rows * hidden_size_);
  context_ = Buffer(rows * projected_size_);
  for (Buffer* buffer : {&projected_.queries, &projected_.keys, &projected_.values}) {
    *buffer = Buffer(rows * projected_size_);
  }
  std::size_t globals = 0;
  for (const Sequence& sequence : sequences_) globals += sequence.global_tokens.size();
  if (has_global && globals > 0) {
    gathered_ = Buffer(globals * hidden_size_);
    global_.queries = Buffer(globals * projected_size_);
    global_.keys = Buffer(rows * projected_size_);
    global_.values = Buffer(rows * projected_size_);
  }
  if (has_convolution) layer_input_ = Buffer(rows * hidden_size_);

  results_.resize(sequences_.size());
  for (std::size_t s = 0; s < sequences_.size(); ++s) {
    ForwardResult& result = results_[s];
    const std::size_t n = sequences_[s].count;
    if (options_.hidden_states)
      result.hidden_states = make_tensor({model_.layers.size() + 1, n, hidden_size_});
    if (options_.last_hidden_state) result.last_hidden_state = make_tensor({n, hidden_size_});
    if (run_pooler_) result.pooler_output = make_tensor({model_.pooler->out_features()});
    kept_.allocate(model_, sequences_[s].shape(), result);
  }
}

void ForwardTask::add(std::uint64_t work, const Step& run) {
  units_.push_back({.work = work, .phase = phase_, .first = 0, .count = 0, .run = run});
  work_total_ += work;
}

std::size_t ForwardTask::threads_for(std::uint64_t work) const {
  const auto fed = static_cast<std::size_t>(work / kThreadWork);
  return std::clamp<std::size_t>(fed, 1, benches_.size());
}

std::size_t ForwardTask::most_tile_rows(std::uint64_t work_per_row) {
  const auto fitting = static_cast<std::size_t>(kUnitWork / std::max<std::uint64_t>(work_per_row, 1));
  return std::max(kMinTileRows, fitting / kernels::kTileRows * kernels::kTileRows);
}

// Where several threads have work, as many tiles for each, of about the same size.
std::size_t ForwardTask::tile_rows(std::size_t rows, std::uint64_t work_per_row) const {
  const std::size_t most = most_tile_rows(work_per_row);
  const std::size_t threads = threads_for(rows * work_per_row);
  if (threads == 1) return most;
  const auto divided = [](std::size_t n, std::size_t by) { return (n + by - 1) / by; };
  const std::size_t tiles = threads * divided(rows, threads * most);
  return divided(divided(rows, tiles), kernels::kTileRows) * kernels::kTileRows;
}

void ForwardTask::add_tiles(std::size_t rows, std::uint64_t work_per_row, const Step& run) {
  const std::size_t tile = tile_rows(rows, work_per_row);
  for (std::size_t first = 0; first < rows; first += tile) {
    const std::size_t count = std::min(tile, rows - first);
    add(count * work_per_row, run);
    units_.back().first = first;
    units_.back().count = count;
  }
}

void ForwardTask::plan() {
  add_tiles(tokens_.size(), model_.embeddings->work(),
            [this](std::size_t first, std::size_t count, Bench& bench) {
              Immediate ops(kernels_, bench.layer);
              model_.embeddings->forward(ops, std::span(tokens_).subspan(first, count),
                                         {.task_type_id = options_.task_type_id}, hidden(first).places());
            });
  begin_phase();
  if (options_.hidden_states) add(0, [this](Bench&) { keep_hidden_state(0); });
  for (std::size_t l = 0; l < model_.layers.size(); ++l) plan_layer(l);
  begin_phase();
  for (std::size_t s = 0; s < sequences_.size(); ++s) plan_head(s);
  begin_phase();
  if (run_head_ && model_.head->kind() == Head::Kind::question_answering) {
    add(0, [this](Bench&) {
      for (ForwardResult& result : results_) split_logits(result);
    });
  }
}

void ForwardTask::plan_layer(std::size_t index) {
  const Layer& layer = *model_.layers[index];
  const Convolution* convolution = layer.convolution();
  const bool narrow = first_tokens_only_ && index + 1 == model_.layers.size() && !convolution;
  begin_phase();
  if (narrow && !kept_.keeps(index)) {
    plan_first_queries(index);
  } else {
    plan_projections(layer, true);
    plan_attention(index);
    if (layer.has_global_projections()) plan_global_attention(index);
    if (narrow) {
      begin_phase();
      add(0, [this](Bench&) {
        gather_first_tokens(hidden(), hidden_size_);
        gather_first_tokens(projected(context_), projected_size_);
      });
    }
  }
  begin_phase();
  if (convolution) {
    add(0, [this](Bench&) { std::copy_n(hidden_.data(), hidden_.size(), layer_input_.data()); });
    begin_phase();
  }
  add_tiles(narrow ? sequences_.size() : tokens_.size(), layer.combine_work(),
            [this, &layer](std::size_t first, std::size_t count, Bench& bench) {
              Immediate ops(kernels_, bench.layer);
              const Value x = hidden(first, count);
              const MutableRows y = x.places();
              layer.combine(ops, x, of_heads(layer, context_, first, count), &y);
            });
  begin_phase();
  for (const Sequence& sequence : sequences_) {
    if (!convolution) break;
    add_tiles(sequence.count, convolution->work(),
              [this, convolution, &sequence](std::size_t first, std::size_t count, Bench& bench) {
                Immediate ops(kernels_, bench.layer);
                float* const start = layer_input_.data() + sequence.first_row * hidden_size_;
                const Value y = hidden(sequence.first_row + first, count);
                const MutableRows to = y.places();
                convolution->forward(ops, {{start, hidden_size_}, sequence.count, hidden_size_}, first, y,
                                     &to);
              });
  }
  begin_phase();
  if (options_.hidden_states) add(0, [this, index](Bench&) { keep_hidden_state(index + 1); });
}

// Keys and values of all rows, and the queries where they are wanted.
void ForwardTask::plan_projections(const Layer& layer, bool queries) {
  add_tiles(tokens_.size(), (queries ? layer.queries_work() : 0) + layer.keys_values_work(),
            [this, &layer, queries](std::size_t first, std::size_t count, Bench& bench) {
              const MutableRows q{projected(projected_.queries).row(first), projected_size_};
              const MutableRows k{projected(projected_.keys).row(first), projected_size_};
              const MutableRows v{projected(projected_.values).row(first), projected_size_};
              Immediate ops(kernels_, bench.layer);
              layer.project(ops, hidden(first, count), std::span(tokens_).subspan(first, count),
                            {.queries = queries ? &q : nullptr, .keys = &k, .values = &v});
            });
}

void ForwardTask::plan_attention(std::size_t index) {
  const Layer& layer = *model_.layers[index];
  const SelfAttention& attention = layer.attention();
  begin_phase();
  for (std::size_t s = 0; s < sequences_.size(); ++s) {
    const Sequence& sequence = sequences_[s];
    const std::uint64_t work_per_row = attention.work(sequence.shape(), 0, sequence.count) / sequence.count;
    // Heads share out the threads' work unless it takes several tiles to hold one.
    const std::size_t tile = most_tile_rows(work_per_row);
    struct Tile {
      std::size_t first, count;
      std::uint64_t work;
    };
    std::vector<Tile> tiles;  // alike for all heads
    for (std::size_t first = 0; first < sequence.count; first += tile) {
      const std::size_t count = std::min(tile, sequence.count - first);
      tiles.push_back({first, count, attention.work(sequence.shape(), first, count)});
    }
    for (std::size_t head = 0; head < layer.num_attention_heads(); ++head) {
      for (const auto& [first, count, work] : tiles) {
        add(work, [this, index, s, head, first = first, count = count](Bench& bench) {
          const std::size_t row = sequences_[s].first_row + first;
          attend(index, s, head, projected_, {projected(projected_.queries).row(row), projected_size_, count},
                 first, {projected(context_).row(row), projected_size_}, bench);
        });
      }
    }
    if (kept_.keeps_projections(index)) {
      add(0, [this, index, s](Bench&) {
        const Sequence& kept = sequences_[s];
        kept_.keep_projections(index, model_.layers[index]->attention().head_size(),
                               rows_of(projected_.queries, kept), rows_of(projected_.keys, kept),
                               rows_of(projected_.values, kept), results_[s]);
      });
    }
  }
}

// The rows of global tokens anew, by projections of their own.
void ForwardTask::plan_global_attention(std::size_t index) {
  const Layer& layer = *model_.layers[index];
  // Calls plan(s, row of gathered_ for the first of the sequence's global tokens) where there is one.
  const auto for_each_global = [this](auto plan) {
    std::size_t first_global = 0;
    for (std::size_t s = 0; s < sequences_.size(); ++s) {
      const std::size_t globals = sequences_[s].global_tokens.size();
      if (globals > 0) plan(s, first_global);
      first_global += globals;
    }
  };
  begin_phase();
  for_each_global([&](std::size_t s, std::size_t first_global) {
    const Sequence& sequence = sequences_[s];
    add_tiles(sequence.count, layer.keys_values_work(),
              [this, &layer, &sequence](std::size_t first, std::size_t count, Bench& bench) {
                const std::size_t row = sequence.first_row + first;
                const MutableRows k{projected(global_.keys).row(row), projected_size_};
                const MutableRows v{projected(global_.values).row(row), projected_size_};
                Immediate ops(kernels_, bench.layer);
                layer.project_global(ops, hidden(row, count), {.queries = nullptr, .keys = &k, .values = &v});
              });
    const std::size_t globals = sequence.global_tokens.size();
    add(globals * layer.queries_work(), [this, &layer, &sequence, globals, first_global](Bench& bench) {
      float* rows = gathered_.data() + first_global * hidden_size_;
      for (std::size_t g = 0; g < globals; ++g) {
        std::copy_n(hidden().row(sequence.first_row + sequence.global_tokens[g]), hidden_size_,
                    rows + g * hidden_size_);
      }
      const MutableRows q{projected(global_.queries).row(first_global), projected_size_};
      Immediate ops(kernels_, bench.layer);
      layer.project_global(ops, {{rows, hidden_size_}, globals, hidden_size_},
                           {.queries = &q, .keys = nullptr, .values = nullptr});
    });
  });
  begin_phase();
  for_each_global([&](std::size_t s, std::size_t first_global) {
    const Sequence& sequence = sequences_[s];
    for (std::size_t head = 0; head < layer.num_attention_heads(); ++head) {
      for (std::size_t g = 0; g < sequence.global_tokens.size(); ++g) {
        const std::size_t position = sequence.global_tokens[g];
        add(layer.attention().work(sequence.shape(), position, 1),
            [this, index, s, head, position, query = first_global + g](Bench& bench) {
              attend(index, s, head, global_, {projected(global_.queries).row(query), projected_size_, 1},
                     position, {projected(context_).row(sequences_[s].first_row + position), projected_size_},
                     bench);
            });
      }
    }
  });
}

// The last layer where only the first token of each sequence is asked for: row s is sequence s's from here on.
void ForwardTask::plan_first_queries(std::size_t index) {
  const Layer& layer = *model_.layers[index];
  const bool global = layer.has_global_projections() && first_tokens_are_global();
  if (global) {
    add_tiles(tokens_.size(), layer.keys_values_work(),
              [this, &layer](std::size_t first, std::size_t count, Bench& bench) {
                const MutableRows k{projected(global_.keys).row(first), projected_size_};
                const MutableRows v{projected(global_.values).row(first), projected_size_};
                Immediate ops(kernels_, bench.layer);
                layer.project_global(ops, hidden(first, count),
                                     {.queries = nullptr, .keys = &k, .values = &v});
              });
  } else {
    plan_projections(layer, false);
  }
  begin_phase();
  add(0, [this](Bench&) { gather_first_tokens(hidden(), hidden_size_); });
  begin_phase();
  add_tiles(sequences_.size(), layer.queries_work(),
            [this, &layer, global](std::size_t first, std::size_t count, Bench& bench) {
              const MutableRows q{projected(projected_.queries).row(first), projected_size_};
              const Projections out{.queries = &q, .keys = nullptr, .values = nullptr};
              Immediate ops(kernels_, bench.layer);
              const Value x = hidden(first, count);
              if (global) {
                layer.project_global(ops, x, out);
              } else {
                layer.project(ops, x, std::span(first_tokens_).subspan(first, count), out);
              }
            });
  begin_phase();
  for (std::size_t s = 0; s < sequences_.size(); ++s) {
    const std::uint64_t work = layer.attention().work(sequences_[s].shape(), 0, 1);
    for (std::size_t head = 0; head < layer.num_attention_heads(); ++head) {
      add(work, [this, index, s, head, global](Bench& bench) {
        attend(index, s, head, global ? global_ : projected_,
               {projected(projected_.queries).row(s), projected_size_, 1}, 0,
               {projected(context_).row(s), projected_size_}, bench);
      });
    }
  }
}

void ForwardTask::plan_head(std::size_t s) {
  const std::size_t n = sequences_[s].count;
  const std::size_t first_row =
      first_tokens_only_ && !model_.layers.back()->convolution() ? s : sequences_[s].first_row;
  ForwardResult& result = results_[s];
  if (options_.last_hidden_state) {
    add(0, [this, &result, first_row](Bench&) {
      std::copy_n(hidden().row(first_row), result.last_hidden_state->data.size(),
                  result.last_hidden_state->data.begin());
    });
  }
  if (run_pooler_) {
    add(model_.pooler->work(), [this, &result, first_row](Bench& bench) {
      Immediate ops(kernels_, bench.layer);
      const Value pooled = model_.pooler->forward(ops, hidden(first_row, 1));
      std::copy_n(pooled.data, pooled.columns, result.pooler_output->data.data());
    });
  }
  if (!run_head_) return;
  const Head& head = *model_.head;
  const bool all_tokens = head.reads() == Head::Reads::all_tokens;
  if (options_.logits_of_token && all_tokens && head.kind() != Head::Kind::question_answering) {
    return plan_head_of_token(s, *options_.logits_of_token);
  }
  const bool one_a_token = head.kind() == Head::Kind::replaced_token_detection;
  result.logits = one_a_token  ? make_tensor({n})
                  : all_tokens ? make_tensor({n, head.outputs()})
                               : make_tensor({head.outputs()});
  if (head.reads() == Head::Reads::mean_token) {
    add(head.work(), [this, &head, &result, first_row, n](Bench& bench) {
      Immediate ops(kernels_, bench.layer);
      const Value mean = ops.rows(1, hidden_size_);
      mean_row(hidden(first_row, n).rows(), hidden_size_, mean.data);
      head.forward(ops, mean, {result.logits->data.data(), head.outputs()});
    });
  } else {
    add_tiles(all_tokens ? n : 1, head.work(),
              [this, &head, &result, first_row](std::size_t first, std::size_t count, Bench& bench) {
                Immediate ops(kernels_, bench.layer);
                head.forward(ops, hidden(first_row + first, count),
                             {result.logits->data.data() + first * head.outputs(), head.outputs()});
              });
  }
}

// Question answering: [n, 2] -> start and end logits [n].
void ForwardTask::split_logits(ForwardResult& result) {
  const Tensor both = std::move(*result.logits);
  const std::size_t n = both.shape.front();
  result.logits.reset();
  result.start_logits = make_tensor({n});
  result.end_logits = make_tensor({n});
  for (std::size_t i = 0; i < n; ++i) {
    result.start_logits->data[i] = both.data[2 * i];
    result.end_logits->data[i] = both.data[2 * i + 1];
  }
}

// A head over a vocabulary costs more than a layer: rows that nobody reads are left out.
void ForwardTask::plan_head_of_token(std::size_t s, std::int32_t id) {
  const Head& head = *model_.head;
  const std::size_t begin = head_rows_.size();
  for (std::size_t row = sequences_[s].first_row; row < sequences_[s].first_row + sequences_[s].count;
       ++row) {
    if (tokens_[row].id == id) head_rows_.push_back(row);
  }
  ForwardResult& result = results_[s];
  const std::size_t rows = head_rows_.size() - begin;
  result.logits = make_tensor({rows, head.outputs()});
  add_tiles(
      rows, head.work(), [this, &head, &result, begin](std::size_t first, std::size_t count, Bench& bench) {
        Immediate ops(kernels_, bench.layer);
        const Value gathered = ops.rows(count, hidden_size_);
        for (std::size_t i = 0; i < count; ++i) {
          std::copy_n(hidden().row(head_rows_[begin + first + i]), hidden_size_, gathered.row(i));
        }
        head.forward(ops, gathered, {result.logits->data.data() + first * head.outputs(), head.outputs()});
      });
}

void ForwardTask::attend(std::size_t layer, std::size_t s, std::size_t head, const Projected& memory,
                         const Rows& queries, std::size_t position, MutableRows context, Bench& bench) {
  const SelfAttention& attention = model_.layers[layer]->attention();
  const Sequence& sequence = sequences_[s];
  const std::size_t column = head * attention.head_size();
  const auto of_head = [column](Rows rows) { return Rows{rows.data + column, rows.stride, rows.count}; };
  const HeadMemory of_sequence{.keys = of_head(rows_of(memory.keys, sequence)),
                               .values = of_head(rows_of(memory.values, sequence)),
                               .head = head,
                               .mask = head_mask_.of(layer, head)};
  const Bench::Head this_head{.layer = layer, .sequence = s, .head = head, .memory = &memory};
  if (bench.head != this_head) {
    attention.begin_head(kernels_, of_sequence, bench.attention);
    bench.head = this_head;
  }
  const auto kept = kept_.probabilities(layer, head, sequence.count, results_[s]);
  attention.forward(kernels_, of_sequence, {.rows = of_head(queries), .first = position}, sequence.shape(),
                    {context.data + column, context.stride}, kept ? &*kept : nullptr, bench.attention);
}

void ForwardTask::keep_hidden_state(std::size_t index) {
  for (std::size_t s = 0; s < sequences_.size(); ++s) {
    const std::size_t size = sequences_[s].count * hidden_size_;
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
    // As many units of one phase as fit into what is left.
    const std::size_t first = next_unit_;
    std::size_t last = first;
    std::uint64_t taken = 0;
    while (last < units_.size() && units_[last].phase == units_[first].phase) {
      const std::uint64_t before = spent + taken;
      if (before > 0 && before + units_[last].work > work) break;
      taken += units_[last++].work;
    }
    if (last == first) break;
    model_.pool->parallel_for(last - first, threads_for(taken), [&](std::size_t index, std::size_t thread) {
      const Unit& unit = units_[first + index];
      unit.run(unit.first, unit.count, benches_[thread]);
    });
    next_unit_ = last;
    spent += taken;
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
      throw_error(ErrorCode::E_INVALID_ARGUMENT,
                  {"There is no ", what, " ", index, ": the model has ", count});
    }
    if (std::find(indices.begin(), indices.end(), resolved) != indices.end()) {
      throw_error(ErrorCode::E_INVALID_ARGUMENT, {"The ", what, " ", index, " is named twice"});
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
