// Attention flow (Abnar & Zuidema 2020, "Quantifying Attention Flow in Transformers"): the layers' tokens are the nodes of a
// network, and what attention hands on from one layer's token to another's, 0.5 mean_h A + 0.5 I, the capacity of the edge
// between them. A token's score is the greatest flow from the target's token after the last layer to it before the first,
// found by Dinic's algorithm.
#include <algorithm>

#include "explain/explain.h"
#include "explain/matrices.h"
#include "model/kept_attention.h"
#include "throw_error.h"

namespace headlight::explain {
namespace {

constexpr std::size_t kMostTokens = 128;

// Node (level, i) is level * n + i; level 0 stands before the first layer. Flow runs from the last level down.
class Network {
 public:
  Network(std::size_t n, std::vector<float> capacities)
      : n_(n), levels_(capacities.size() / (n * n) + 1), capacities_(std::move(capacities)) {}

  double greatest_flow(std::size_t source, std::size_t sink) {
    flows_.assign(capacities_.size(), 0.0);
    sink_ = sink;
    double sum = 0;
    while (measure((levels_ - 1) * n_ + source)) {
      next_.assign(levels_ * n_, 0);
      sum += push((levels_ - 1) * n_ + source, 2);
    }
    return sum;
  }

 private:
  static constexpr double kLeast = 1e-12;

  // The edge to the j-th neighbour, j < n a node below and otherwise one above, and what may still flow along it.
  struct Edge {
    std::size_t to;
    double* flow;
    double room;
    double direction;
  };
  bool edge(std::size_t node, std::size_t j, Edge& edge) {
    const std::size_t level = node / n_, i = node % n_;
    const bool down = j < n_;
    if (down ? level == 0 : level + 1 == levels_) return false;
    const std::size_t at = down ? ((level - 1) * n_ + i) * n_ + j : (level * n_ + (j - n_)) * n_ + i;
    edge.to = down ? (level - 1) * n_ + j : (level + 1) * n_ + (j - n_);
    edge.flow = &flows_[at];
    edge.room = down ? static_cast<double>(capacities_[at]) - flows_[at] : flows_[at];
    edge.direction = down ? 1 : -1;
    return edge.room > kLeast;
  }

  // Distances of all nodes from the source; whether the sink can be reached.
  bool measure(std::size_t source) {
    distances_.assign(levels_ * n_, -1);
    distances_[source] = 0;
    std::vector<std::size_t> reached{source};
    for (std::size_t k = 0; k < reached.size() && distances_[sink_] < 0; ++k) {
      for (std::size_t j = 0; j < 2 * n_; ++j) {
        Edge to;
        if (!edge(reached[k], j, to) || distances_[to.to] >= 0) continue;
        distances_[to.to] = distances_[reached[k]] + 1;
        reached.push_back(to.to);
      }
    }
    return distances_[sink_] >= 0;
  }

  // Sends up to `limit` from a node along shortest ways to the sink.
  double push(std::size_t node, double limit) {
    if (node == sink_) return limit;
    double sent = 0;
    for (std::size_t& j = next_[node]; j < 2 * n_; ++j) {
      Edge to;
      if (!edge(node, j, to) || distances_[to.to] != distances_[node] + 1) continue;
      const double part = push(to.to, std::min(limit - sent, to.room));
      *to.flow += to.direction * part;
      sent += part;
      if (limit - sent <= kLeast) return sent;
    }
    return sent;
  }

  std::size_t n_, levels_, sink_ = 0;
  std::vector<float> capacities_;  // [levels - 1, n, n]: layer l from (l + 1, i) to (l, j)
  std::vector<double> flows_;
  std::vector<int> distances_;
  std::vector<std::size_t> next_;  // neighbours before these are used up
};

class Flow final : public PassTask {
 public:
  Flow(const EncoderModel& model, const Encoding& encoding, const ExplainOptions& options)
      : PassTask(model, options) {
    const auto tokens = std::count(encoding.attention_mask.begin(), encoding.attention_mask.end(), 1);
    if (static_cast<std::size_t>(tokens) > kMostTokens) {
      throw_error(ErrorCode::E_INVALID_ARGUMENT,
                  {"Attention flow over ", static_cast<std::size_t>(tokens),
                   " tokens would take too long: it is computed for up to ", kMostTokens});
    }
  }

 private:
  bool watches_forward() const override { return true; }
  std::uint64_t sink_work() const { return 20 * pass().model().layers.size() * count() * count(); }
  std::uint64_t total_work() const override { return pass().forward_work() + count() * sink_work(); }

  bool next(std::uint64_t& spent) override {
    const std::size_t stage = stage_++;
    if (stage == 0) {
      explanation().scores = make_tensor({count()});
      pass().begin_forward(Place::words);
      return true;
    }
    if (stage > count()) return false;
    if (stage == 1) network_.emplace(count(), std::move(capacities_));
    explanation().scores.data[stage - 1] =
        static_cast<float>(network_->greatest_flow(options().target.token.value_or(0), stage - 1));
    spent += sink_work();
    return true;
  }

  void end_forward(const Pass&, std::size_t layer) override {
    const Buffer matrix = handed_on(pass(), layer);
    capacities_.insert(capacities_.end(), matrix.data(), matrix.data() + count() * count());
  }

  std::vector<float> capacities_;
  std::optional<Network> network_;
  std::size_t stage_ = 0;
};

}  // namespace

std::unique_ptr<PassTask> make_flow(const EncoderModel& model, const Encoding& encoding,
                                    const ExplainOptions& options) {
  return std::make_unique<Flow>(model, encoding, options);
}

}  // namespace headlight::explain
