#include "explain/pass.h"

#include <algorithm>

#include "explain/target.h"

namespace headlight::explain {
namespace {

constexpr std::uint64_t kThreadWork = 1'000'000;  // as the forward pass has it

float* cleared(Buffer& buffer, std::size_t size) {
  buffer.reserve(size);
  std::fill_n(buffer.data(), size, 0.0f);
  return buffer.data();
}

}  // namespace

Pass::Pass(const EncoderModel& model, const Encoding& encoding, const ExplainOptions& options,
           LayerWatcher* watcher, std::size_t most_kept)
    : model_(model),
      watcher_(watcher),
      embedding_options_{.task_type_id = options.task_type_id},
      sequence_(read_sequence(model, encoding, 0, options.global_tokens, options.task_type_id)),
      shape_{sequence_.tokens.size(), sequence_.padded, sequence_.offset, sequence_.global_tokens},
      head_mask_(model, options.head_mask),
      hidden_(model.layers.size() + 1),
      benches_(model.pool->size()),
      setting_{.sequence = shape_, .head_mask = {}, .kept = {}} {
  const std::size_t n = count();
  words_ = Buffer(n * columns(Place::words));
  for (std::size_t i = 0; i < n; ++i) {
    const Embeddings& embeddings = *model.embeddings;
    embeddings.words().copy_row(static_cast<std::size_t>(sequence_.tokens[i].id), at(Place::words).row(i));
  }
  for (Buffer& buffer : hidden_) buffer = Buffer(n * model.info.hidden_size);
  if (model.embeddings->projects()) output_ = Buffer(n * columns(Place::output));
  // A short sequence's values are kept, all of them, which spares the way back to compute them anew.
  const std::size_t width = 8 * model.info.hidden_size + 3 * model.info.intermediate_size;
  keeps_values_ = n * width * model.layers.size() <= most_kept;
  graphs_.reserve(head_section() + 1);
  for (std::size_t s = 0; s <= (keeps_values_ ? head_section() : 0); ++s) {
    graphs_.emplace_back(*model.kernels, gradient_buffers_);
  }
  sections_.resize(graphs_.size());
  std::size_t most_heads = 0;
  for (std::size_t l = 0; l < model.layers.size(); ++l) {
    forward_work_ += layer_work(l);
    most_heads = std::max(most_heads, heads(l));
  }
  forward_work_ += n * model.embeddings->work();
  if (!watcher) return;
  if (watcher->watches_forward() || watcher->watches_backward()) probabilities_ = Buffer(most_heads * n * n);
  if (watcher->watches_backward()) probability_gradients_ = Buffer(most_heads * n * n);
  for (std::size_t l = 0; l < model.layers.size(); ++l) {
    forward_work_ += watcher->pieces(*this, l) * watcher->piece_work(*this, l);
  }
}

void Pass::set_target(const ExplainTarget& target) {
  target_ = target;
  check_target(model_, sequence_.tokens, target_);
  run_head_ = true;
  forward_work_ += model_.head->work();
}

std::uint64_t Pass::layer_work(std::size_t index) const {
  const Layer& layer = *model_.layers[index];
  const std::uint64_t rows = layer.queries_work() + layer.keys_values_work() + layer.combine_work();
  return count() * rows + heads(index) * layer.attention().work(shape_, 0, count());
}

std::size_t Pass::columns(Place place) const {
  return place == Place::words ? model_.embeddings->words().columns() : model_.embeddings->output_size();
}

Value Pass::hidden(std::size_t index) const {
  const std::size_t size = model_.info.hidden_size;
  return {{hidden_[index].data(), size}, count(), size};
}

Value Pass::at(Place place) {
  if (place == Place::output && output_.size() == 0) return hidden(0);
  Buffer& buffer = place == Place::words ? words_ : output_;
  return {{buffer.data(), columns(place)}, count(), columns(place)};
}

void Pass::begin_forward(Place place, const float* values) {
  const Value start = at(place);
  if (values) std::copy_n(values, start.count * start.columns, start.data);
  jobs_.clear();
  open_ = false;
  if (run_head_) jobs_.push_back({Job::forward, head_section()});
  for (std::size_t l = model_.layers.size(); l-- > 0;) {
    if (watcher_ && watcher_->watches_forward()) jobs_.push_back({Job::pieces, kFirstLayer + l});
    jobs_.push_back({Job::forward, kFirstLayer + l});
  }
  if (model_.embeddings->projects()) jobs_.push_back({Job::forward, 1});
  if (place == Place::words) jobs_.push_back({Job::forward, 0});
}

void Pass::begin_backward(Place place) {
  jobs_.clear();
  open_ = false;
  gradient_ = {};
  if (place == Place::words) jobs_.push_back({Job::backward, 0});
  if (model_.embeddings->projects()) jobs_.push_back({Job::backward, 1});
  for (std::size_t s = kFirstLayer; s <= head_section(); ++s) jobs_.push_back({Job::backward, s});
}

void Pass::build(std::size_t section) {
  graph().clear();
  if (section == head_section()) return build_head();
  if (section >= kFirstLayer) return build_layer(section - kFirstLayer);
  const Embeddings& embeddings = *model_.embeddings;
  if (section == 1) {
    const Value output = at(Place::output);
    const MutableRows to = hidden(0).places();
    now().input = graph().input(output.places(), output.count, output.columns);
    now().output = embeddings.project(graph(), now().input, &to);
    return;
  }
  const std::size_t size = embeddings.assembled_size();
  assembled_.reserve(count() * size);
  embeddings.assemble(sequence_.tokens, embedding_options_, at(Place::words).rows(),
                      {assembled_.data(), size});
  const MutableRows to = at(Place::output).places();
  now().input = graph().input({assembled_.data(), size}, count(), size);
  now().output = embeddings.output(graph(), now().input, sequence_.tokens, &to);
}

void Pass::build_layer(std::size_t index) {
  const Layer& layer = *model_.layers[index];
  const Value in = hidden(index);
  const Value x = graph().input(in.places(), in.count, in.columns);
  const std::size_t width = heads(index) * layer.attention().head_size();
  const auto places = [&](std::size_t rows) { return graph().rows(rows, width).places(); };
  const MutableRows q = places(count()), k = places(count()), v = places(count());
  projected_ = layer.project(graph(), x, sequence_.tokens, {.queries = &q, .keys = &k, .values = &v});
  setting_.apart = {};
  if (layer.has_global_projections()) setting_.apart = sequence_.global_tokens;
  context_ = graph().attend(layer.attention(), projected_, setting_);
  const std::size_t globals = setting_.apart.size();
  projected_globally_ = {};
  if (globals > 0) {
    const MutableRows gq = places(globals), gk = places(count()), gv = places(count());
    projected_globally_ = layer.project_global(graph(), x, {.queries = nullptr, .keys = &gk, .values = &gv});
    projected_globally_.queries = layer
                                      .project_global(graph(), graph().gather(x, sequence_.global_tokens),
                                                      {.queries = &gq, .keys = nullptr, .values = nullptr})
                                      .queries;
    graph().attend_apart(layer.attention(), projected_globally_, setting_, context_);
  }
  const MutableRows to = hidden(index + 1).places();
  const Convolution* convolution = layer.convolution();
  now().input = x;
  now().output = layer.combine(graph(), x, context_, convolution ? nullptr : &to);
  if (convolution) now().output = convolution->forward(graph(), x, 0, now().output, &to);
}

// The rows that the head reads for the target: one, or for question answering all, whose logits compete.
void Pass::build_head() {
  const Head& head = *model_.head;
  Value x = hidden(model_.layers.size());
  if (head.reads() == Head::Reads::mean_token) {
    head_rows_.reserve(x.columns);
    mean_row(x.rows(), x.columns, head_rows_.data());
    x = {{head_rows_.data(), x.columns}, 1, x.columns};
  } else if (head.kind() != Head::Kind::question_answering) {
    x = {{x.row(is_of_token(head) ? *target_.token : 0), x.stride}, 1, x.columns};
  }
  now().input = graph().input(x.places(), x.count, x.columns);
  now().output = head.features(graph(), now().input);
}

void Pass::read_logits() {
  const Head& head = *model_.head;
  const bool answers = head.kind() == Head::Kind::question_answering;
  const std::size_t outputs = head.outputs();
  logits_.resize(now().output.count * outputs);
  Immediate ops(graph().kernels(), scratch_, Immediate::Arithmetic::exact);
  head.scores(ops, now().output, {logits_.data(), outputs});
  if (answers) {
    for (std::size_t i = 0; i < count(); ++i) logits_[i] = logits_[2 * i + target_.end];
    logits_.resize(count());
  }
  target_logit_ = find_target(head, logits_, target_);
}

void Pass::open(const Job& job) {
  run_ = part_ = 0;
  open_ = true;
  if (job.kind == Job::pieces) {
    runs_ = watcher_->pieces(*this, job.section - kFirstLayer) > 0 ? 1 : 0;
    return;
  }
  const bool backward = job.kind == Job::backward;
  const bool of_layer = job.section >= kFirstLayer && job.section < head_section();
  current_ = keeps_values_ ? job.section : 0;
  if (!backward || !keeps_values_) build(job.section);
  if (of_layer) {
    const bool keeps = watcher_ && (backward ? watcher_->watches_backward() : watcher_->watches_forward());
    setting_.head_mask = head_mask_.of(job.section - kFirstLayer);
    setting_.kept = {.probabilities = keeps ? probabilities_.data() : nullptr,
                     .gradients = keeps && backward ? probability_gradients_.data() : nullptr};
  }
  runs_ = graph().size() * (backward ? 2 : 1);
  if (!backward) return;
  if (keeps_values_) run_ = graph().size();
  graph().clear_gradients();
  const auto& [input, output] = now();
  const bool of_head = job.section == head_section();
  const std::size_t size = input.count * input.columns;
  graph().set_gradient(input, cleared(of_head ? head_gradient_ : free_gradients(), size));
  if (of_head) {
    const bool answers = model_.head->kind() == Head::Kind::question_answering;
    float* row = graph().gradient(output) + (answers ? *target_.token * output.columns : 0);
    model_.head->copy_weights(answers ? std::size_t{target_.end} : *target_.label, row);
  } else {
    graph().set_gradient(output, gradient_.data);
  }
}

void Pass::close(const Job& job) {
  open_ = false;
  const bool layer = job.section >= kFirstLayer && job.section < head_section();
  if (job.kind == Job::forward) {
    if (job.section == head_section()) read_logits();
    return;
  }
  if (job.kind == Job::pieces) return watcher_->end_forward(*this, job.section - kFirstLayer);
  gradient_ = {{graph().gradient(now().input), now().input.columns}, now().input.count, now().input.columns};
  if (job.section == head_section()) spread_head_gradient();
  if (layer && watcher_ && watcher_->watches_backward()) {
    watcher_->end_backward(*this, job.section - kFirstLayer, setting_.kept);
  }
  if (job.section == 0) {
    const std::size_t size = columns(Place::words);
    const MutableRows words{cleared(free_gradients(), count() * size), size};
    model_.embeddings->assemble_backward(sequence_.tokens, gradient_.rows(), words);
    gradient_ = {words, count(), size};
  }
}

// From the rows that the head reads to all rows.
void Pass::spread_head_gradient() {
  const Head& head = *model_.head;
  if (head.kind() == Head::Kind::question_answering) return;
  const std::size_t size = gradient_.columns;
  float* rows = cleared(free_gradients(), count() * size);
  const bool mean = head.reads() == Head::Reads::mean_token;
  const std::size_t row = is_of_token(head) ? *target_.token : 0;
  for (std::size_t i = 0; i < count(); ++i) {
    const float share = mean ? 1 / static_cast<float>(count()) : i == row ? 1.0f : 0.0f;
    for (std::size_t c = 0; c < size; ++c) rows[i * size + c] = share * gradient_.data[c];
  }
  gradient_ = {{rows, size}, count(), size};
}

std::size_t Pass::threads_for(std::uint64_t work) const {
  return std::clamp<std::size_t>(static_cast<std::size_t>(work / kThreadWork), 1, benches_.size());
}

bool Pass::step(std::uint64_t work, std::uint64_t& spent) {
  bool done_some = false;
  while (!jobs_.empty()) {
    const Job job = jobs_.back();
    if (!open_) open(job);
    if (run_ == runs_) {
      close(job);
      jobs_.pop_back();
      continue;
    }
    if (done_some && spent >= work) return true;
    const bool pieces = job.kind == Job::pieces;
    const std::size_t layer = job.section - kFirstLayer;
    const std::size_t parts = pieces ? watcher_->pieces(*this, layer) : graph().parts(run_);
    const std::uint64_t part_work =
        std::max<std::uint64_t>(pieces ? watcher_->piece_work(*this, layer) : graph().part_work(run_), 1);
    if (part_ == 0 && !pieces) graph().prepare(run_);
    const std::uint64_t fitting = work > spent ? (work - spent) / part_work : 0;
    const auto taken = static_cast<std::size_t>(std::clamp<std::uint64_t>(fitting, 1, parts - part_));
    model_.pool->parallel_for(parts > 0 ? taken : 0, threads_for(taken * part_work),
                              [&](std::size_t index, std::size_t thread) {
                                if (pieces) {
                                  watcher_->piece(*this, layer, part_ + index, thread);
                                } else {
                                  graph().run(run_, part_ + index, benches_[thread]);
                                }
                              });
    done_some = true;
    part_ += taken;
    spent += taken * part_work;
    if (part_ >= parts) {
      ++run_;
      part_ = 0;
    }
  }
  return false;
}

}  // namespace headlight::explain
