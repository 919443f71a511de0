#include "model/layers.h"
#include "concat.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

float usual_scale(std::size_t head_size) { return 1 / std::sqrt(static_cast<float>(head_size)); }

}  // namespace

void AttentionProjections::forward(const Table& kernels, Rows x, const Rows* values_x,
                                   std::span<const TokenInput> tokens, const Projections& out,
                                   std::vector<std::byte>& scratch) const {
  LinearInput input(kernels, x, query.in_features(), scratch);
  if (out.queries) query.forward(input, *out.queries);
  if (out.keys) key.forward(input, *out.keys);
  if (out.values && values_x) {
    value.forward(kernels, *values_x, *out.values, scratch);
  } else if (out.values) {
    value.forward(input, *out.values);
  }
  if (!rotary) return;
  const auto turn = [&](const MutableRows* rows) {
    if (!rows) return;
    for (std::size_t i = 0; i < x.count; ++i) {
      rotary->forward(tokens[i].position, query.out_features() / head_size, rows->row(i));
    }
  };
  turn(out.queries);
  turn(out.keys);
  if (rotary_value) turn(out.values);
}

PostNormLayer::PostNormLayer(WeightMap& map, const std::string& name, const LayerNames& names,
                             const LayerSizes& sizes, const Options& options)
    : ProjectedLayer(sizes.num_attention_heads,
                     {sizes.head_size(), options.scale.value_or(usual_scale(sizes.head_size())),
                      options.position, options.pattern},
                     sizes.hidden_act),
      convolution_(options.convolution) {
  const std::size_t hidden = sizes.hidden_size;
  const auto bind = [&](AttentionProjections& projections, const std::string& suffix) {
    const auto bind_one = [&](Linear& linear, const char* linear_name) {
      linear.bind(map, name + linear_name + suffix, hidden, hidden, WeightMap::Need::required,
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
  attention_output_.bind(map, name + names.attention_output, hidden, hidden);
  attention_norm_.bind(map, name + names.attention_norm, hidden, sizes.norm);
  intermediate_.bind(map, name + names.intermediate, hidden, sizes.intermediate_size);
  output_.bind(map, name + names.output, sizes.intermediate_size, hidden);
  output_norm_.bind(map, name + names.output_norm, hidden, sizes.norm);
}

void PostNormLayer::set_position(const PositionScheme* position) {
  attention_ = SelfAttention(attention_.head_size(), attention_.scale(), position);
}

void PostNormLayer::prepare(const Table& kernels) {
  if (convolution_) convolution_->prepare(kernels);
}

void PostNormLayer::project(const Table& kernels, Rows x, std::span<const TokenInput> tokens,
                            const Projections& out, LayerScratch& scratch) const {
  projections_.forward(kernels, x, nullptr, tokens, out, scratch.codes);
}

void PostNormLayer::project_global(const Table& kernels, Rows x, const Projections& out,
                                   LayerScratch& scratch) const {
  global_->forward(kernels, x, nullptr, {}, out, scratch.codes);
}

void PostNormLayer::combine(const Table& kernels, Rows x, Rows context, MutableRows y,
                            LayerScratch& scratch) const {
  const std::size_t hidden = attention_output_.out_features();
  const std::size_t wide = intermediate_.out_features();
  scratch.attended.reserve(x.count * hidden);
  scratch.intermediate.reserve(x.count * wide);
  const MutableRows attended{scratch.attended.data(), hidden};
  const MutableRows intermediate{scratch.intermediate.data(), wide};

  attention_output_.forward(kernels, context, attended, scratch.codes, &x);
  const Rows normed = attended.first(x.count);
  attention_norm_.forward(kernels, normed, attended);
  intermediate_.forward(kernels, normed, intermediate, scratch.codes);
  apply(hidden_act_, kernels, intermediate.data, x.count * wide);
  output_.forward(kernels, intermediate.first(x.count), y, scratch.codes, &normed);
  output_norm_.forward(kernels, y.first(x.count), y);
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

void PreNormLayer::project(const Table& kernels, Rows x, std::span<const TokenInput> tokens,
                           const Projections& out, LayerScratch& scratch) const {
  Rows input = x;
  if (attention_norm_) {
    const std::size_t hidden = projections_.query.in_features();
    scratch.attended.reserve(x.count * hidden);
    const MutableRows normed{scratch.attended.data(), hidden};
    attention_norm_->forward(kernels, x, normed);
    input = normed.first(x.count);
  }
  projections_.forward(kernels, input, nullptr, tokens, out, scratch.codes);
}

void PreNormLayer::combine(const Table& kernels, Rows x, Rows context, MutableRows y,
                           LayerScratch& scratch) const {
  const std::size_t hidden = attention_output_.out_features();
  const std::size_t wide = input_.out_features();
  scratch.reduced.reserve(x.count * hidden);
  scratch.attended.reserve(x.count * hidden);
  scratch.intermediate.reserve(2 * x.count * wide);
  const MutableRows attended{scratch.attended.data(), hidden};
  const MutableRows normed{scratch.reduced.data(), hidden};
  const MutableRows input{scratch.intermediate.data(), wide};
  const MutableRows gate{scratch.intermediate.data() + x.count * wide, wide};

  attention_output_.forward(kernels, context, attended, scratch.codes, &x);
  const Rows sum = attended.first(x.count);
  mlp_norm_.forward(kernels, sum, normed);
  {
    LinearInput rows(kernels, normed.first(x.count), hidden, scratch.codes);
    input_.forward(rows, input);
    gate_.forward(rows, gate);
  }
  apply(hidden_act_, kernels, input.data, x.count * wide);
  for (std::size_t i = 0; i < x.count * wide; ++i) input.data[i] *= gate.data[i];
  output_.forward(kernels, input.first(x.count), y, scratch.codes, &sum);
  if (final_norm_) final_norm_->forward(kernels, y.first(x.count), y);
}

std::uint64_t PreNormLayer::combine_work() const {
  return attention_output_.work() + input_.work() + gate_.work() + output_.work();
}

void BottleneckLayer::NormedLinear::forward(const Table& kernels, Rows x, const Rows* residual, MutableRows y,
                                            std::vector<std::byte>& scratch) const {
  linear.forward(kernels, x, y, scratch, residual);
  norm.forward(kernels, y.first(x.count), y);
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
  const auto bind = [&](NormedLinear& part, const std::string& part_name, std::size_t in, std::size_t out) {
    part.linear.bind(map, concat({name, part_name, ".dense"}), in, out);
    part.norm.bind(map, concat({name, part_name, ".LayerNorm"}), out, sizes.norm);
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
    bind(feed_forwards_[i].output, concat({prefix, ".output"}), sizes.intermediate_size, narrow);
  }
  if (options.bottleneck) bind(widen_, ".output.bottleneck", narrow, hidden_size_);
}

void BottleneckLayer::project(const Table& kernels, Rows x, std::span<const TokenInput> tokens,
                              const Projections& out, LayerScratch& scratch) const {
  const std::size_t narrow = options_.narrow_size;
  const bool narrowed = options_.bottleneck && (options_.narrow_attention || options_.shared_queries_keys);
  if (!narrowed) return projections_.forward(kernels, x, nullptr, tokens, out, scratch.codes);
  scratch.reduced.reserve(x.count * narrow);
  const MutableRows reduced{scratch.reduced.data(), narrow};
  const NormedLinear& narrowing = options_.narrow_attention ? narrow_ : narrow_queries_keys_;
  narrowing.forward(kernels, x, nullptr, reduced, scratch.codes);
  projections_.forward(kernels, reduced.first(x.count), options_.narrow_attention ? nullptr : &x, tokens, out,
                       scratch.codes);
}

void BottleneckLayer::combine(const Table& kernels, Rows x, Rows context, MutableRows y,
                              LayerScratch& scratch) const {
  const std::size_t narrow = options_.narrow_size;
  const std::size_t wide = feed_forwards_.front().intermediate.out_features();
  scratch.reduced.reserve(x.count * narrow);
  scratch.attended.reserve(x.count * narrow);
  scratch.intermediate.reserve(x.count * wide);
  MutableRows reduced{scratch.reduced.data(), narrow};
  MutableRows attended{scratch.attended.data(), narrow};
  const MutableRows intermediate{scratch.intermediate.data(), wide};

  Rows input = x;
  if (options_.bottleneck) {
    narrow_.forward(kernels, x, nullptr, reduced, scratch.codes);
    input = reduced.first(x.count);
  }
  attention_output_.forward(kernels, context, &input, attended, scratch.codes);
  for (const FeedForward& feed_forward : feed_forwards_) {
    const Rows residual = attended.first(x.count);
    feed_forward.intermediate.forward(kernels, residual, intermediate, scratch.codes);
    apply(hidden_act_, kernels, intermediate.data, x.count * wide);
    const bool to_y = !options_.bottleneck && &feed_forward == &feed_forwards_.back();
    const MutableRows out = to_y ? y : reduced;
    feed_forward.output.forward(kernels, intermediate.first(x.count), &residual, out, scratch.codes);
    std::swap(reduced, attended);
  }
  if (options_.bottleneck) widen_.forward(kernels, attended.first(x.count), &x, y, scratch.codes);
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
    : options_(options) {
  map.add_vector(concat({name, ".conv.weight"}),
                 {options.hidden_size, options.hidden_size, options.kernel_size}, weight_);
  map.add_vector(concat({name, ".conv.bias"}), options.hidden_size, bias_);
  norm_.bind(map, concat({name, ".LayerNorm"}), options.hidden_size, options.norm);
}

// The inputs of one output are features, each over the kernel's places: a matrix [out, features * places].
void InputConvolution::prepare(const Table&) {
  if (weight_.empty()) return;
  const std::size_t k = options_.hidden_size * options_.kernel_size;
  panels_ = Buffer(panels_size(options_.hidden_size, k));
  pack_panels({weight_.data(), k, options_.hidden_size}, k, panels_.data());
  weight_ = {};
}

void InputConvolution::forward(const Table& kernels, Rows sequence, std::size_t first, std::size_t count,
                               MutableRows y) const {
  const std::size_t hidden = options_.hidden_size;
  const std::size_t places = options_.kernel_size;
  const std::size_t k = hidden * places;
  Buffer neighbours(count * k);
  Buffer convolved(count * hidden);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t place = 0; place < places; ++place) {
      const std::size_t shifted = first + i + place;  // the row plus (places - 1) / 2
      const std::size_t before = (places - 1) / 2;
      const bool inside = shifted >= before && shifted - before < sequence.count;
      const float* row = inside ? sequence.row(shifted - before) : nullptr;
      float* out = neighbours.data() + i * k + place;
      for (std::size_t feature = 0; feature < hidden; ++feature)
        out[feature * places] = row ? row[feature] : 0;
    }
  }
  kernels.gemm_f32({.a = neighbours.data(),
                    .a_stride = k,
                    .rows = count,
                    .panels = panels_.data(),
                    .k = k,
                    .columns = hidden,
                    .out = convolved.data(),
                    .out_stride = hidden,
                    .bias = bias_.data()});
  apply(options_.activation, kernels, convolved.data(), count * hidden);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < hidden; ++c) y.row(i)[c] += convolved.data()[i * hidden + c];
  }
  norm_.forward(kernels, y.first(count), y);
}

}  // namespace headlight
