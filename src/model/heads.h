// The heads of the families: from the last hidden state to logits.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "model/encoder.h"
#include "ops/activation.h"
#include "ops/embedding.h"
#include "ops/norm.h"

namespace headlight {

// act(x W^T + b), normalised where `norm` is named: poolers, and the first half of most heads.
class DenseTransform : public Transform {
 public:
  struct Options {
    std::string dense;
    std::size_t in_features, out_features;
    Activation activation;
    Linear::Bias bias = Linear::Bias::present;
    std::string norm = "";
    Norm::Options norm_options = {};
    WeightMap::Need need = WeightMap::Need::required;
  };
  DenseTransform(WeightMap& map, const Options& options);

  std::size_t out_features() const override { return dense_.out_features(); }
  bool present() const override { return dense_.present(); }
  std::uint64_t work() const override { return dense_.work(); }
  Value forward(Operators& ops, const Value& x) const override;

 private:
  Linear dense_;
  Activation activation_;
  std::optional<Norm> norm_;
};

// Rows as they are: the pooler of a MobileBERT that has no classifier_activation.
class NoTransform : public Transform {
 public:
  explicit NoTransform(std::size_t size) : size_(size) {}
  std::size_t out_features() const override { return size_; }
  std::uint64_t work() const override { return 0; }
  Value forward(Operators&, const Value& x) const override { return x; }

 private:
  std::size_t size_;
};

// What heads have in common: their place, and a transform of the rows before the scores.
class TransformedHead : public Head {
 public:
  // transform: may be null; shared where it is the model's pooler.
  TransformedHead(Kind kind, Reads reads, std::shared_ptr<const Transform> transform)
      : kind_(kind), reads_(reads), transform_(std::move(transform)) {}

  Kind kind() const final { return kind_; }
  Reads reads() const final { return reads_; }
  std::uint64_t work() const final { return scores_work() + (transform_ ? transform_->work() : 0); }
  Value features(Operators& ops, const Value& x) const final;

 protected:
  virtual std::uint64_t scores_work() const = 0;

 private:
  Kind kind_;
  Reads reads_;
  std::shared_ptr<const Transform> transform_;
};

// An affine map of each row.
class LinearHead : public TransformedHead {
 public:
  LinearHead(WeightMap& map, Kind kind, Reads reads, std::shared_ptr<const Transform> transform,
             const std::string& name, std::size_t in_features, std::size_t outputs);
  std::size_t outputs() const override { return linear_.out_features(); }
  void scores(Operators& ops, const Value& features, MutableRows logits) const override;
  void copy_weights(std::size_t output, float* out) const override { linear_.copy_weights(output, out); }

 protected:
  std::uint64_t scores_work() const override { return linear_.work(); }

 private:
  Linear linear_;
};

// Scores of each row against each word's embedding (tied weights), plus a bias.
class TiedHead : public TransformedHead {
 public:
  struct Options {
    std::string bias;  // empty: none
    // The rows' features beyond the embeddings' width meet this matrix [extra, vocab_size] (MobileBERT); empty: none.
    std::string extra = "";
    std::size_t in_features, vocab_size, embedding_size;
  };
  // words: the embeddings' table, read in place; must live longer.
  TiedHead(WeightMap& map, std::shared_ptr<const Transform> transform, const Options& options,
           const EmbeddingTable& words);
  std::size_t outputs() const override { return options_.vocab_size; }
  void scores(Operators& ops, const Value& features, MutableRows logits) const override;
  void copy_weights(std::size_t output, float* out) const override;

 protected:
  std::uint64_t scores_work() const override {
    return static_cast<std::uint64_t>(options_.vocab_size) * options_.in_features;
  }

 private:
  Options options_;
  std::vector<float> bias_;
  EmbeddingTable extra_;
  const EmbeddingTable& words_;
};

}  // namespace headlight
