#include "model/layers.h"
#include "concat.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

float usual_scale(std::size_t head_size) { return 1 / std::sqrt(static_cast<float>(head_size)); }

}  // namespace

QueriesKeysValues AttentionProjections::forward(Operators& ops, const Value& x, const Value& values_x,
                                                std::span<const TokenInput> tokens,
                                                const Projections& out) const {
  QueriesKeysValues projected;
  if (out.queries) projected.queries = ops.linear(query, x, nullptr, out.queries);
  if (out.keys) projected.keys = ops.linear(key, x, nullptr, out.keys);
  if (out.values) projected.values = ops.linear(value, values_x, nullptr, out.values);
  if (!rotary) return projected;
  if (out.queries) ops.turn(*rotary, tokens, projected.queries);
  if (out.keys) ops.turn(*rotary, tokens, projected.keys);
  if (out.values && rotary_value) ops.turn(*rotary, tokens, projected.values);
  return projected;
}

PostNormLayer::PostNormLayer(WeightMap& map, const std::string& name, const LayerNames& names,
                             const LayerSizes& sizes, const Options& options)
    : ProjectedLayer(sizes.num_attention_heads - options.pruned_heads,
                     {sizes.head_size(), options.scale.value_or(usual_scale(sizes.head_size())),
                      options.position, options.pattern},
                     sizes.hidden_act),
      convolution_(options.convolution) {
  const std::size_t hidden = sizes.hidden_size, of_heads = num_attention_heads_ * sizes.head_size();
  const auto bind = [&](AttentionProjections& projections, const std::string& suffix) {
    const auto bind_one = [&](Linear& linear, const char* linear_name) {
      linear.bind(map, name + linear_name + suffix, hidden, of_heads, WeightMap::Need::required,
                  options.projection_bias);
    };
    bind_one(projections.query, names.query);
    bind_one(projections.key, names.key);
    bind_one(projections.value, names.value);
    projections.head_size = sizes.head_size();
  };
  bind(projections_, "");
  projections_.rotary = options.rotary;
  projections_.rotary_value = options.rotary_value;
  if (options.global_projections) bind(global_.emplace(), "_global");
  attention_output_.bind(map, name + names.attention_output, of_heads, hidden);
  attention_norm_.bind(map, name + names.attention_norm, hidden, sizes.norm);
  intermediate_.bind(map, name + names.intermediate, hidden, sizes.intermediate_size);
  output_.bind(map, name + names.output, sizes.intermediate_size, hidden);
  output_norm_.bind(map, name + names.output_norm, hidden, sizes.norm);
}

void PostNormLayer::set_position(const PositionScheme* position) {
  attention_ = SelfAttention(attention_.head_size(), attention_.scale(), position);
}

void PostNormLayer::prepare() {
  if (convolution_) convolution_->prepare();
}

QueriesKeysValues PostNormLayer::project(Operators& ops, const Value& x, std::span<const TokenInput> tokens,
                                         const Projections& out) const {
  return projections_.forward(ops, x, x, tokens, out);
}

QueriesKeysValues PostNormLayer::project_global(Operators& ops, const Value& x,
                                                const Projections& out) const {
  return global_->forward(ops, x, x, {}, out);
}

Value PostNormLayer::combine(Operators& ops, const Value& x, const Value& context,
                             const MutableRows* to) const {
  const Value attended = ops.norm(attention_norm_, ops.linear(attention_output_, context, &x));
  const Value intermediate = ops.activate(hidden_act_, ops.linear(intermediate_, attended));
  return ops.norm(output_norm_, ops.linear(output_, intermediate, &attended), to);
}

std::uint64_t PostNormLayer::combine_work() const {
  return attention_output_.work() + intermediate_.work() + output_.work();
}

PreNormLayer::PreNormLayer(WeightMap& map, const std::string& name, const LayerSizes& sizes,
                           const Options& options)
    : ProjectedLayer(sizes.num_attention_heads,
                     {sizes.head_size(), usual_scale(sizes.head_size()), nullptr, options.pattern},
                     sizes.hidden_act),
      final_norm_(options.final_norm) {
  const std::size_t hidden = sizes.hidden_size;
  const std::size_t wide = sizes.intermediate_size;
  if (options.attention_norm)
    attention_norm_.emplace().bind(map, concat({name, ".attn_norm"}), hidden, sizes.norm);
  const Linear::Part projections[] = {
      {&projections_.query, hidden}, {&projections_.key, hidden}, {&projections_.value, hidden}};
  Linear::bind_stacked(map, concat({name, ".attn.Wqkv"}), hidden, projections, options.attention_bias);
  projections_.rotary = options.rotary;
  attention_output_.bind(map, concat({name, ".attn.Wo"}), hidden, hidden, WeightMap::Need::required,
                         options.attention_bias);
  mlp_norm_.bind(map, concat({name, ".mlp_norm"}), hidden, sizes.norm);
  const Linear::Part gated[] = {{&input_, wide}, {&gate_, wide}};
  Linear::bind_stacked(map, concat({name, ".mlp.Wi"}), hidden, gated, options.mlp_bias);
  output_.bind(map, concat({name, ".mlp.Wo"}), wide, hidden, WeightMap::Need::required, options.mlp_bias);
}

QueriesKeysValues PreNormLayer::project(Operators& ops, const Value& x, std::span<const TokenInput> tokens,
                                        const Projections& out) const {
  if (!attention_norm_) return projections_.forward(ops, x, x, tokens, out);
  const MutableRows apart = ops.rows(x.count, x.columns).places();
  const Value normed = ops.norm(*attention_norm_, x, &apart);
  return projections_.forward(ops, normed, normed, tokens, out);
}

Value PreNormLayer::combine(Operators& ops, const Value& x, const Value& context,
                            const MutableRows* to) const {
  const Value attended = ops.linear(attention_output_, context, &x);
  const MutableRows apart = ops.rows(x.count, x.columns).places();
  const Value normed = ops.norm(mlp_norm_, attended, &apart);
  const Value input = ops.linear(input_, normed);
  const Value gate = ops.linear(gate_, normed);
  const Value gated = ops.multiply(ops.activate(hidden_act_, input), gate);
  if (!final_norm_) return ops.linear(output_, gated, &attended, to);
  return ops.norm(*final_norm_, ops.linear(output_, gated, &attended), to);
}

std::uint64_t PreNormLayer::combine_work() const {
  return attention_output_.work() + input_.work() + gate_.work() + output_.work();
}

Value BottleneckLayer::NormedLinear::forward(Operators& ops, const Value& x, const Value* residual,
                                             const MutableRows* to) const {
  return ops.norm(norm, ops.linear(linear, x, residual), to);
}

BottleneckLayer::BottleneckLayer(WeightMap& map, const std::string& name, const LayerSizes& sizes,
                                 const Options& options)
    : ProjectedLayer(sizes.num_attention_heads,
                     {options.narrow_size / sizes.num_attention_heads,
                      usual_scale(options.narrow_size / sizes.num_attention_heads), nullptr},
                     sizes.hidden_act),
      hidden_size_(sizes.hidden_size),
      options_(options),
      feed_forwards_(options.feed_forwards) {
  const std::size_t narrow = options.narrow_size;
  const auto bind_with = [&](const Norm::Options& norm, NormedLinear& part, const std::string& part_name,
                             std::size_t in, std::size_t out) {
    part.linear.bind(map, concat({name, part_name, ".dense"}), in, out);
    part.norm.bind(map, concat({name, part_name, ".LayerNorm"}), out, norm);
  };
  const auto bind = [&](NormedLinear& part, const std::string& part_name, std::size_t in, std::size_t out) {
    bind_with(sizes.norm, part, part_name, in, out);
  };
  if (options.bottleneck) {
    bind(narrow_, ".bottleneck.input", hidden_size_, narrow);
    if (options.shared_queries_keys)
      bind(narrow_queries_keys_, ".bottleneck.attention", hidden_size_, narrow);
  }
  projections_.query.bind(map, concat({name, ".attention.self.query"}), narrow, narrow);
  projections_.key.bind(map, concat({name, ".attention.self.key"}), narrow, narrow);
  projections_.value.bind(map, concat({name, ".attention.self.value"}),
                          options.narrow_attention ? narrow : hidden_size_, narrow);
  bind(attention_output_, ".attention.output", narrow, narrow);
  for (std::size_t i = 0; i < feed_forwards_.size(); ++i) {
    const bool last = i + 1 == feed_forwards_.size();
    const std::string prefix = last ? "" : ".ffn." + std::to_string(i);
    feed_forwards_[i].intermediate.bind(map, concat({name, prefix, ".intermediate.dense"}), narrow,
                                        sizes.intermediate_size);
    bind_with(last ? options.output_norm : sizes.norm, feed_forwards_[i].output, concat({prefix, ".output"}),
              sizes.intermediate_size, narrow);
  }
  if (options.bottleneck) bind(widen_, ".output.bottleneck", narrow, hidden_size_);
}

QueriesKeysValues BottleneckLayer::project(Operators& ops, const Value& x, std::span<const TokenInput> tokens,
                                           const Projections& out) const {
  const bool narrowed = options_.bottleneck && (options_.narrow_attention || options_.shared_queries_keys);
  if (!narrowed) return projections_.forward(ops, x, x, tokens, out);
  const NormedLinear& narrowing = options_.narrow_attention ? narrow_ : narrow_queries_keys_;
  const Value reduced = narrowing.forward(ops, x, nullptr);
  return projections_.forward(ops, reduced, options_.narrow_attention ? reduced : x, tokens, out);
}

Value BottleneckLayer::combine(Operators& ops, const Value& x, const Value& context,
                               const MutableRows* to) const {
  const Value input = options_.bottleneck ? narrow_.forward(ops, x, nullptr) : x;
  Value attended = attention_output_.forward(ops, context, &input);
  for (const FeedForward& feed_forward : feed_forwards_) {
    const Value residual = attended;
    const Value intermediate = ops.activate(hidden_act_, ops.linear(feed_forward.intermediate, residual));
    const bool last = !options_.bottleneck && &feed_forward == &feed_forwards_.back();
    attended = feed_forward.output.forward(ops, intermediate, &residual, last ? to : nullptr);
    ops.release(intermediate);
    ops.release(residual);
  }
  return options_.bottleneck ? widen_.forward(ops, attended, &x, to) : attended;
}

std::uint64_t BottleneckLayer::queries_work() const {
  return projections_.query.work() + narrow_.linear.work();
}
std::uint64_t BottleneckLayer::combine_work() const {
  std::uint64_t work = attention_output_.linear.work() + narrow_.linear.work() + widen_.linear.work();
  for (const FeedForward& part : feed_forwards_) work += part.intermediate.work() + part.output.linear.work();
  return work;
}

InputConvolution::InputConvolution(WeightMap& map, const std::string& name, const Options& options)
    : activation_(options.activation) {
  convolution_.bind(map, concat({name, ".conv"}), options.hidden_size, options.kernel_size);
  norm_.bind(map, concat({name, ".LayerNorm"}), options.hidden_size, options.norm);
}

Value InputConvolution::forward(Operators& ops, const Value& sequence, std::size_t first, const Value& y,
                                const MutableRows* to) const {
  const Value convolved = ops.activate(activation_, ops.convolve(convolution_, sequence, first, y.count));
  return ops.norm(norm_, ops.add(convolved, y), to);
}

}  // namespace headlight
