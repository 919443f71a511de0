// The layers of the families.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/encoder.h"
#include "ops/activation.h"
#include "ops/norm.h"
#include "ops/rotary.h"

namespace headlight {

// Rows to the queries, keys and values of all heads.
struct AttentionProjections {
  Linear query, key, value;
  const Rotary* rotary = nullptr;  // turns queries and keys; must live longer
  bool rotary_value = false;       // and values
  std::size_t head_size = 0;

  // x: what queries and keys are made from; values_x: what values are made from.
  QueriesKeysValues forward(Operators& ops, const Value& x, const Value& values_x,
                            std::span<const TokenInput> tokens, const Projections& out) const;
};

// What all layers here have: attention over projections of their own.
class ProjectedLayer : public Layer {
 public:
  std::size_t num_attention_heads() const final { return num_attention_heads_; }
  const SelfAttention& attention() const final { return attention_; }
  std::uint64_t keys_values_work() const final { return projections_.key.work() + projections_.value.work(); }
  std::uint64_t queries_work() const override { return projections_.query.work(); }

 protected:
  ProjectedLayer(std::size_t num_attention_heads, const SelfAttention& attention, Activation hidden_act)
      : num_attention_heads_(num_attention_heads), attention_(attention), hidden_act_(hidden_act) {
    projections_.head_size = attention.head_size();
  }

  std::size_t num_attention_heads_;
  SelfAttention attention_;
  Activation hidden_act_;
  AttentionProjections projections_;
};

// Names of a layer's parameters, under the layer's own.
struct LayerNames {
  const char *query, *key, *value, *attention_output, *attention_norm, *intermediate, *output, *output_norm;
};

struct LayerSizes {
  std::size_t hidden_size, num_attention_heads, intermediate_size;
  Activation hidden_act;
  Norm::Options norm;

  std::size_t head_size() const { return hidden_size / num_attention_heads; }
};

// The layer of the original encoder: each half is added to its input, then normalised (post-LayerNorm).
//   a = Norm(x + Output(context));  y = Norm(a + Output(act(Intermediate(a))))
class PostNormLayer : public ProjectedLayer {
 public:
  struct Options {
    std::size_t pruned_heads = 0;  // how many of sizes.num_attention_heads the layer lacks
    Linear::Bias projection_bias = Linear::Bias::present;
    std::optional<float> scale = {};  // of the scores; none: 1 / sqrt(head_size)
    const PositionScheme* position = nullptr;
    const AttentionPattern* pattern = nullptr;
    const Rotary* rotary = nullptr;
    bool rotary_value = false;
    bool global_projections = false;  // the names of query, key and value with "_global"
    Convolution* convolution = nullptr;
  };
  PostNormLayer(WeightMap& map, const std::string& name, const LayerNames& names, const LayerSizes& sizes,
                const Options& options);

  // For position schemes that use the layer's own projections.
  const AttentionProjections& projections() const { return projections_; }
  void set_position(const PositionScheme* position);

  QueriesKeysValues project(Operators& ops, const Value& x, std::span<const TokenInput> tokens,
                            const Projections& out) const override;
  bool has_global_projections() const override { return global_.has_value(); }
  QueriesKeysValues project_global(Operators& ops, const Value& x, const Projections& out) const override;
  Value combine(Operators& ops, const Value& x, const Value& context, const MutableRows* to) const override;
  const Linear& attention_output() const override { return attention_output_; }
  const Convolution* convolution() const override { return convolution_; }
  void prepare() override;
  std::uint64_t combine_work() const override;

 private:
  std::optional<AttentionProjections> global_;
  Convolution* convolution_;
  Linear attention_output_, intermediate_, output_;
  Norm attention_norm_, output_norm_;
};

// ModernBERT's layer (Warner et al. 2024): each half normalises its input and is added to it; a gated feed-forward.
//   a = x + Wo(context of Norm(x));  y = a + Wo(act(input) * gate),  (input, gate) = Wi(Norm(a))
class PreNormLayer : public ProjectedLayer {
 public:
  struct Options {
    Linear::Bias attention_bias, mlp_bias;
    bool attention_norm;  // false: the first layer takes its input as it is
    const AttentionPattern* pattern;
    const Rotary* rotary;
    const Norm* final_norm;  // after the last layer; null elsewhere
  };
  // Binds attn_norm, attn.Wqkv, attn.Wo, mlp_norm, mlp.Wi and mlp.Wo under `name`.
  PreNormLayer(WeightMap& map, const std::string& name, const LayerSizes& sizes, const Options& options);

  QueriesKeysValues project(Operators& ops, const Value& x, std::span<const TokenInput> tokens,
                            const Projections& out) const override;
  Value combine(Operators& ops, const Value& x, const Value& context, const MutableRows* to) const override;
  const Linear& attention_output() const override { return attention_output_; }
  std::uint64_t combine_work() const override;

 private:
  std::optional<Norm> attention_norm_;
  Norm mlp_norm_;
  const Norm* final_norm_;
  Linear attention_output_, input_, gate_, output_;
};

// MobileBERT's layer (Sun et al. 2020): attention and several feed-forwards at a narrower width.
class BottleneckLayer : public ProjectedLayer {
 public:
  struct Options {
    std::size_t narrow_size;    // true_hidden_size
    std::size_t feed_forwards;  // num_feedforward_networks
    bool bottleneck;            // false: the layer works at the model's width
    bool narrow_attention;      // use_bottleneck_attention: all of attention's inputs are narrowed alike
    bool shared_queries_keys;   // key_query_shared_bottleneck: queries and keys have a narrowing of their own
    Norm::Options output_norm;  // after the last feed-forward; the others as sizes.norm
  };
  BottleneckLayer(WeightMap& map, const std::string& name, const LayerSizes& sizes, const Options& options);

  QueriesKeysValues project(Operators& ops, const Value& x, std::span<const TokenInput> tokens,
                            const Projections& out) const override;
  Value combine(Operators& ops, const Value& x, const Value& context, const MutableRows* to) const override;
  const Linear& attention_output() const override { return attention_output_.linear; }
  std::uint64_t queries_work() const override;
  std::uint64_t combine_work() const override;

 private:
  struct NormedLinear {
    Linear linear;
    Norm norm;
    // Norm(Linear(x) + residual); residual may be null.
    Value forward(Operators& ops, const Value& x, const Value* residual,
                  const MutableRows* to = nullptr) const;
  };
  struct FeedForward {
    Linear intermediate;
    NormedLinear output;
  };

  std::size_t hidden_size_;
  Options options_;
  NormedLinear narrow_, narrow_queries_keys_, attention_output_, widen_;
  std::vector<FeedForward> feed_forwards_;
};

// DeBERTa v2's convolution beside its first layer: y = Norm(y + act(Conv1d(x))), x the layer's input.
class InputConvolution : public Convolution {
 public:
  struct Options {
    std::size_t hidden_size, kernel_size;
    Activation activation;
    Norm::Options norm;
  };
  // Binds `name`.conv and `name`.LayerNorm.
  InputConvolution(WeightMap& map, const std::string& name, const Options& options);

  Value forward(Operators& ops, const Value& sequence, std::size_t first, const Value& y,
                const MutableRows* to) const override;
  std::uint64_t work() const override { return convolution_.work(); }
  void prepare() override { convolution_.prepare(); }

 private:
  Activation activation_;
  Convolution1d convolution_;
  Norm norm_;
};

}  // namespace headlight
