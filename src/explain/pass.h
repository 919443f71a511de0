// The float pass that explanations stand on: one sequence through the whole encoder and its head, and back from one
// logit to the embeddings. Rows meet int8 weights as they are (explain/graph.h).
//
// Between the layers only their inputs are kept; a layer's intermediates are computed anew when the way back reaches it.
// Memory beside the model, in floats, with hidden size h, intermediate size f, L layers and H heads:
//   n h (L + 4)  layers' inputs, embeddings and gradients on the way  +  2 n (7 h + 2 f)  one layer's values and gradients
// and where attention is looked at n^2 H, with its gradients 2 n^2 H. For n = 512 that is 72 MB for BERT base and 32 MB for a
// MiniLM of 6 layers of 384, each with 25 MB more for attention's gradients. A sequence so short that all layers' values
// take less than 64 MB keeps them all, which spares computing them anew.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "explain/graph.h"
#include "headlight.h"
#include "model/head_mask.h"
#include "model/sequence.h"

namespace headlight::explain {

// Where the pass starts, and where the way back ends.
enum class Place {
  words,
  output
};  // word embeddings [n, e]; the embeddings' output [n, e], before a projection

class Pass;

// What is told of each layer. Its probabilities are kept for that time.
class LayerWatcher {
 public:
  virtual ~LayerWatcher() = default;
  virtual bool watches_forward() const { return false; }
  virtual bool watches_backward() const { return false; }
  // After a layer's output is there and while its queries, keys and values still are: so many pieces of work, then each
  // of them, on several threads, and then the end.
  virtual std::size_t pieces(const Pass&, std::size_t /*layer*/) { return 0; }
  virtual std::uint64_t piece_work(const Pass&, std::size_t /*layer*/) const { return 0; }
  virtual void piece(const Pass&, std::size_t /*layer*/, std::size_t /*index*/, std::size_t /*thread*/) {}
  virtual void end_forward(const Pass&, std::size_t /*layer*/) {}
  // The layers come from the last to the first. Matrices: [heads, n, n].
  virtual void end_backward(const Pass&, std::size_t /*layer*/, const KeptMatrices&) {}
};

class Pass {
 public:
  // Floats of all layers' values that are kept at most, else they are computed anew on the way back.
  static constexpr std::size_t kMostKept = 16 << 20;

  // Throws as Model::begin_forward does. watcher: may be null; must live as long.
  Pass(const EncoderModel& model, const Encoding& encoding, const ExplainOptions& options,
       LayerWatcher* watcher, std::size_t most_kept = kMostKept);
  // Lets the passes end with the target's logits. Throws as check_target().
  void set_target(const ExplainTarget& target);

  const EncoderModel& model() const { return model_; }
  std::size_t count() const { return sequence_.tokens.size(); }  // n
  std::span<const TokenInput> tokens() const { return sequence_.tokens; }
  std::span<const std::size_t> global_tokens() const { return sequence_.global_tokens; }
  std::size_t columns(Place place) const;
  // The word embeddings of the tokens; after a pass forward the embeddings' output that it went through.
  Value at(Place place);

  // Each is followed by calls of step() until it is false. values [n, columns(place)]: null for those that are there.
  void begin_forward(Place place, const float* values = nullptr);
  void begin_backward(Place place);  // from the target's logit, after a pass forward
  // Does one part at least and about `work` multiply-adds, which are added to `spent`.
  bool step(std::uint64_t work, std::uint64_t& spent);
  std::uint64_t forward_work() const { return forward_work_; }
  std::uint64_t backward_work() const {
    return 3 * forward_work_;
  }  // a layer forward again, and its gradients

  // After a pass forward. The logits that the target competes with, and which it is.
  const ExplainTarget& target() const { return target_; }
  const std::vector<float>& logits() const { return logits_; }
  std::size_t target_logit() const { return target_logit_; }
  double logit() const { return logits_[target_logit_]; }
  // After the way back: [n, columns(place)].
  Value gradient() const { return gradient_; }

  // For a LayerWatcher, of the layer that it is told of.
  Value layer_input(std::size_t layer) const { return hidden(layer); }
  Value layer_output(std::size_t layer) const { return hidden(layer + 1); }
  const QueriesKeysValues& projected() const { return projected_; }
  const QueriesKeysValues& projected_globally() const { return projected_globally_; }  // where there are such
  const Value& context() const { return context_; }
  // [heads, n, n]; the watcher may change them.
  float* probabilities() const { return probabilities_.data(); }
  std::size_t heads(std::size_t layer) const { return model_.layers[layer]->num_attention_heads(); }

 private:
  struct Job {
    enum Kind { forward, pieces, backward } kind;
    std::size_t section;
  };
  // Sections: the embeddings' output, their projection, the layers, the head.
  static constexpr std::size_t kFirstLayer = 2;
  std::size_t head_section() const { return kFirstLayer + model_.layers.size(); }

  Value hidden(std::size_t index) const;
  void open(const Job& job);
  void close(const Job& job);
  // Takes down a section's operators, from its input to its output.
  void build(std::size_t section);
  void build_layer(std::size_t index);
  void build_head();
  void read_logits();
  void spread_head_gradient();
  std::uint64_t layer_work(std::size_t layer) const;
  std::size_t threads_for(std::uint64_t work) const;
  Buffer& free_gradients() { return gradients_[gradients_[0].data() == gradient_.data ? 1 : 0]; }

  const EncoderModel& model_;
  LayerWatcher* watcher_;
  EmbeddingOptions embedding_options_;
  TokenSequence sequence_;
  SequenceShape shape_;
  HeadMask head_mask_;
  ExplainTarget target_;
  bool run_head_ = false;

  Buffer words_, assembled_, output_;   // output_: empty where the embeddings are not projected
  mutable std::vector<Buffer> hidden_;  // [layers + 1]: the layers' inputs and the last one's output
  Buffer head_rows_, head_gradient_;
  mutable Buffer probabilities_;
  Buffer probability_gradients_;
  Buffer gradients_[2];
  Value gradient_{};  // of what the next section backward has given

  struct Section {
    Value input{}, output{};
  };
  Graph& graph() { return graphs_[current_]; }
  Section& now() { return sections_[current_]; }
  std::vector<Buffer> gradient_buffers_;
  std::vector<Graph> graphs_;  // one a section where values are kept, else one for all
  std::vector<Section> sections_;
  std::size_t current_ = 0;
  bool keeps_values_ = false;
  std::vector<Graph::Bench> benches_;
  OperatorScratch scratch_;
  AttentionSetting setting_;
  QueriesKeysValues projected_, projected_globally_;
  Value context_{};
  std::vector<float> logits_;
  std::size_t target_logit_ = 0;

  std::vector<Job> jobs_;  // the next one last
  bool open_ = false;
  std::size_t run_ = 0, runs_ = 0, part_ = 0;
  std::uint64_t forward_work_ = 0;
};

}  // namespace headlight::explain
