// Every operator's vector–Jacobian product against differences of what it computes.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "explain/graph.h"
#include "ops/disentangled.h"
#include "ops/relative_bias.h"
#include "ops/sinusoidal_relative.h"

namespace headlight::test {
namespace {

using explain::Graph;

std::mt19937 random_numbers(3);

std::vector<float> normal(std::size_t size, float spread = 1) {
  std::normal_distribution<float> distribution(0, spread);
  std::vector<float> values(size);
  for (float& value : values) value = distribution(random_numbers);
  return values;
}

// Gives every tensor that the map wants random values.
void fill(WeightMap& map, MatrixSink::Form form = MatrixSink::Form::values) {
  map.set_kept(form);
  for (const auto& [name, shape, need] : map.wanted()) {
    std::size_t size = 1;
    for (const std::size_t dimension : shape) size *= dimension;
    const TensorEntry entry{.name = std::string(name),
                            .dtype = DType::F32,
                            .shape = {shape.begin(), shape.end()},
                            .begin = 0,
                            .end = size * sizeof(float)};
    map.open(entry, "")->write(0, normal(size, 0.5f));
  }
  map.finish("");
}

struct Operand {
  std::size_t count, columns;
};

void run(Graph& graph, std::size_t first, std::size_t last, Graph::Bench& bench) {
  for (std::size_t r = first; r < last; ++r) {
    graph.prepare(r);
    for (std::size_t part = 0; part < graph.parts(r); ++part) graph.run(r, part, bench);
  }
}

// f = sum of w ∘ build(operands), w random: its gradient by each operand along random directions.
void check(const std::vector<Operand>& operands,
           const std::function<Value(Graph&, const std::vector<Value>&)>& build) {
  const Table& kernels = kernels::best();
  std::vector<std::vector<float>> values, gradients;
  for (const auto& [count, columns] : operands) {
    values.push_back(normal(count * columns));
    gradients.emplace_back(count * columns, 0.0f);
  }
  std::vector<Buffer> memory;
  Graph graph(kernels, memory);
  Graph::Bench bench;
  std::vector<float> w;
  const auto f = [&](bool backward) {
    graph.clear();
    std::vector<Value> inputs;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const auto& [count, columns] = operands[i];
      inputs.push_back(
          graph.input({values[i].data(), columns}, count, columns, backward ? gradients[i].data() : nullptr));
    }
    const Value y = build(graph, inputs);
    if (w.empty()) w = normal(y.count * y.columns);
    run(graph, 0, graph.size(), bench);
    double sum = 0;
    for (std::size_t i = 0; i < y.count; ++i) {
      for (std::size_t c = 0; c < y.columns; ++c)
        sum += static_cast<double>(y.row(i)[c]) * w[i * y.columns + c];
    }
    if (backward) {
      std::copy(w.begin(), w.end(), graph.gradient(y));
      run(graph, graph.size(), 2 * graph.size(), bench);
    }
    return sum;
  };
  f(true);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::vector<float> x = values[i];
    for (int direction = 0; direction < 3; ++direction) {
      const std::vector<float> u = normal(x.size());
      double expected = 0, size = 1;
      for (std::size_t k = 0; k < x.size(); ++k) {
        expected += static_cast<double>(u[k]) * gradients[i][k];
        size += static_cast<double>(u[k] * u[k]) * gradients[i][k] * gradients[i][k];
      }
      const auto at = [&](double h) {
        for (std::size_t k = 0; k < x.size(); ++k) values[i][k] = x[k] + static_cast<float>(h) * u[k];
        return f(false);
      };
      constexpr double h = 0.02;
      const double actual = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      values[i] = x;
      INFO("operand " << i << ": by differences " << actual << ", by the way back " << expected);
      CHECK(std::abs(actual - expected) <= 2e-4 * std::sqrt(size));
    }
  }
}

TEST_CASE("linear maps, with a residual and with int8 weights") {
  for (const auto form : {MatrixSink::Form::values, MatrixSink::Form::codes}) {
    WeightMap map(kernels::best());
    Linear linear;
    linear.bind(map, "linear", 37, 43);
    fill(map, form);
    check({{13, 37}, {13, 43}}, [&](Graph& graph, const std::vector<Value>& x) {
      return graph.linear(linear, x[0], &x[1], nullptr);
    });
  }
}

TEST_CASE("normalisations") {
  for (const auto kind : {Norm::Kind::layer_norm, Norm::Kind::no_norm}) {
    WeightMap map(kernels::best());
    Norm norm;
    norm.bind(map, "norm", 19, {.eps = 0.01f, .kind = kind});
    fill(map);
    check({{53, 19}},
          [&](Graph& graph, const std::vector<Value>& x) { return graph.norm(norm, x[0], nullptr); });
  }
}

TEST_CASE("activations") {
  for (const auto activation :
       {Activation::gelu, Activation::gelu_tanh, Activation::silu, Activation::tanh}) {
    INFO(static_cast<int>(activation));
    check({{51, 7}},
          [&](Graph& graph, const std::vector<Value>& x) { return graph.activate(activation, x[0]); });
  }
  const float x[] = {-2, -0.5f, 0.5f, 2}, y[] = {0, 0, 0.5f, 2}, dy[] = {1, 2, 3, 4};
  float dx[4] = {1, 1, 1, 1};
  apply_backward(Activation::relu, x, y, dy, 4, dx);
  CHECK(std::vector<float>(dx, dx + 4) == std::vector<float>{1, 1, 4, 5});
}

TEST_CASE("gelu's derivative is right at 0, around it and far from it") {
  for (const double at : {-20.0, -4.0, -0.07, -0.05, -1e-6, 0.0, 1e-6, 0.05, 0.07, 3.0, 20.0}) {
    const auto x = static_cast<float>(at);
    float y = x, dx = 0;
    apply(Activation::gelu, kernels::best(), &y, 1);
    const float one = 1;
    apply_backward(Activation::gelu, &x, &y, &one, 1, &dx);
    const double exact = 0.5 * (1 + std::erf(at / std::sqrt(2.0))) +
                         at * std::exp(-at * at / 2) / std::sqrt(2 * std::acos(-1.0));
    INFO(at);
    CHECK(std::abs(dx - exact) <= 5e-6);
  }
}

TEST_CASE("sums and products, of a value with itself, too") {
  check({{50, 5}, {50, 5}}, [](Graph& graph, const std::vector<Value>& x) {
    return graph.multiply(graph.add(x[0], x[1]), graph.multiply(x[1], x[1]));
  });
}

TEST_CASE("a convolution over neighbouring rows") {
  for (const std::size_t places : {1, 3, 5}) {
    WeightMap map(kernels::best());
    Convolution1d convolution;
    convolution.bind(map, "conv", 11, places);
    fill(map);
    convolution.prepare();
    check({{7, 11}},
          [&](Graph& graph, const std::vector<Value>& x) { return graph.convolve(convolution, x[0], 0, 7); });
  }
}

TEST_CASE("rows that are gathered, several times, too") {
  const std::size_t indices[] = {4, 0, 4};
  check({{6, 5}}, [&](Graph& graph, const std::vector<Value>& x) { return graph.gather(x[0], indices); });
}

constexpr std::size_t kHeads = 3, kHeadSize = 5, kWidth = kHeads * kHeadSize;

void check_attention(std::size_t n, const PositionScheme* position, const AttentionPattern* pattern,
                     std::span<const float> mask = {}, std::span<const std::size_t> globals = {}) {
  const SelfAttention attention(kHeadSize, 0.4f, position, pattern);
  const SequenceShape sequence{.count = n, .padded = n, .offset = 0, .global_tokens = globals};
  const explain::AttentionSetting setting{.sequence = sequence, .head_mask = mask, .kept = {}};
  check({{n, kWidth}, {n, kWidth}, {n, kWidth}}, [&](Graph& graph, const std::vector<Value>& x) {
    return graph.attend(attention, {x[0], x[1], x[2]}, setting);
  });
}

TEST_CASE("attention over all keys, in several blocks of queries") {
  for (const std::size_t n : {1, 7, 50, 101}) check_attention(n, nullptr, nullptr);
  const float mask[] = {0, 0.5f, 1};
  check_attention(19, nullptr, nullptr, mask);
}

TEST_CASE("attention over a window, with global tokens, and over blocks") {
  const WindowPattern window(4);
  check_attention(61, nullptr, &window);
  const std::size_t globals[] = {0, 30};
  check_attention(61, nullptr, &window, {}, globals);
  const BlockSparsePattern blocks(4, 1);
  check_attention(61, nullptr, &blocks);
}

TEST_CASE("attention of global tokens by projections of their own") {
  constexpr std::size_t n = 27;
  const WindowPattern window(3);
  const SelfAttention attention(kHeadSize, 0.4f, nullptr, &window);
  const std::size_t globals[] = {0, 11};
  const SequenceShape sequence{.count = n, .padded = n, .offset = 0, .global_tokens = globals};
  const explain::AttentionSetting setting{
      .sequence = sequence, .head_mask = {}, .kept = {}, .apart = globals};
  const Operand all{n, kWidth};
  check({all, all, all, {2, kWidth}, all, all}, [&](Graph& graph, const std::vector<Value>& x) {
    const Value context = graph.attend(attention, {x[0], x[1], x[2]}, setting);
    graph.attend_apart(attention, {x[3], x[4], x[5]}, setting, context);
    return context;
  });
}

TEST_CASE("attention with every scheme of positions") {
  constexpr std::size_t n = 53;
  const Table& kernels = kernels::best();
  for (const bool with_query : {false, true}) {
    WeightMap map(kernels);
    RelativeKey scheme(map, "distances", 64, kHeadSize, with_query);
    fill(map);
    check_attention(n, &scheme, nullptr);
  }
  check_attention(n, std::make_unique<SinusoidalRelative>(kHeadSize, 9).get(), nullptr);
  {
    WeightMap map(kernels);
    RelativeBias scheme(map, "bias", RelativeBias::kBuckets, kHeads, 0.4f);
    fill(map);
    scheme.prepare(kernels);
    check_attention(n, &scheme, nullptr);
  }
  for (const std::size_t buckets : {0, 8}) {
    WeightMap map(kernels);
    RelativeEmbeddings distances(map, "rel",
                                 {.span = buckets > 0 ? buckets : 13,
                                  .buckets = buckets,
                                  .max_positions = 64,
                                  .longest = 64,
                                  .hidden_size = kWidth});
    Linear key, query;
    key.bind(map, "key", kWidth, kWidth);
    query.bind(map, "query", kWidth, kWidth);
    fill(map);
    const Linear* const none = nullptr;
    for (const auto& [of_key, of_query] :
         {std::pair{&std::as_const(key), none}, std::pair{none, &std::as_const(query)},
          std::pair{&std::as_const(key), &std::as_const(query)}}) {
      Disentangled scheme(distances, of_key, of_query, kHeads, kHeadSize);
      scheme.prepare(kernels);
      check_attention(n, &scheme, nullptr);
    }
  }
}

TEST_CASE("rotary positions in both layouts") {
  std::vector<TokenInput> tokens;
  for (std::size_t i = 0; i < 49; ++i)
    tokens.push_back({.id = 0, .type_id = 0, .previous_id = -1, .next_id = -1, .position = i});
  for (const auto pairs : {Rotary::Pairs::interleaved, Rotary::Pairs::halves}) {
    const Rotary rotary(6, 64, 100, pairs);
    check({{49, 12}}, [&](Graph& graph, const std::vector<Value>& x) {
      const Value turned = graph.multiply(x[0], x[0]);
      graph.turn(rotary, tokens, turned);
      return graph.multiply(turned, turned);
    });
  }
}

}  // namespace
}  // namespace headlight::test
