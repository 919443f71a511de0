#include "tasks/attention.h"
#include "throw_error.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "attention/reduce.h"
#include "model/forward.h"
#include "tasks/classify.h"
#include "tasks/encode.h"
#include "tasks/grouped_task.h"
#include "text/utf8.h"

namespace headlight {
namespace {

using attention::Group;
using attention::Reduction;

// What an axis of attention can hold: tokens or words, each with the tokens it is made of.
struct Entries {
  std::vector<AttendedToken> items;
  std::vector<Group> groups;

  void add(AttendedToken item, std::size_t token) {
    items.push_back(std::move(item));
    groups.push_back({token, 1});
  }
};

bool is_special(const AttendedToken& item) { return item.sequence_id < 0; }

Entries tokens_of(const Encoding& encoding) {
  Entries tokens;
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    tokens.add({encoding.tokens[i], encoding.ids[i], encoding.offsets[i], encoding.sequence_ids[i],
                encoding.word_ids[i]},
               i);
  }
  return tokens;
}

Entries words_of(const Entries& tokens, const Encoding& encoding, const Input& input) {
  Entries words;
  std::vector<Span> code_points;
  for (std::size_t i = 0; i < tokens.items.size(); ++i) {
    const AttendedToken& token = tokens.items[i];
    const bool continues = !is_special(token) && i > 0 &&
                           tokens.items[i - 1].sequence_id == token.sequence_id &&
                           tokens.items[i - 1].word_id == token.word_id;
    if (continues) {
      words.items.back().offsets.end = token.offsets.end;
      code_points.back().end = encoding.code_point_offsets[i].end;
      ++words.groups.back().count;
    } else {
      words.add(token, i);
      code_points.push_back(encoding.code_point_offsets[i]);
    }
  }
  const std::u32string texts[] = {decode_utf8(input.text), decode_utf8(input.text_pair.value_or(""))};
  for (std::size_t i = 0; i < words.items.size(); ++i) {
    AttendedToken& word = words.items[i];
    if (is_special(word)) continue;
    const auto [start, end] = code_points[i];
    word.id = -1;
    word.text = encode_utf8(std::u32string_view(texts[word.sequence_id]).substr(start, end - start));
  }
  return words;
}

// How one input's attention becomes its result.
struct View {
  AttentionResult result;         // all but weights and what hangs on them
  std::vector<std::size_t> rows;  // of the attention, by token; empty: all
  std::vector<Group> queries;     // among these rows
  std::vector<Group> keys;
  std::vector<Group> specials;  // keys too, whatever the options say
};

View make_view(const Encoding& encoding, const Input& input, const AttentionOptions& options) {
  View view;
  Entries tokens = tokens_of(encoding);
  Entries words = words_of(tokens, encoding, input);
  const Entries& entries = options.words ? words : tokens;

  for (std::size_t i = 0; i < entries.items.size(); ++i) {
    if (is_special(entries.items[i]) && !options.special_tokens) continue;
    view.result.keys.push_back(i);
    view.keys.push_back(entries.groups[i]);
  }
  for (std::size_t i = 0; i < tokens.items.size(); ++i) {
    if (!is_special(tokens.items[i])) continue;
    view.specials.push_back(tokens.groups[i]);
    view.result.special_share.emplace_back(i, 0.0f);
  }
  if (options.query == AttentionQuery::all) {
    view.queries = view.keys;
  } else {
    const std::size_t index = options.query == AttentionQuery::cls ? 0 : options.query_index;
    if (index >= entries.items.size()) {
      throw_error(ErrorCode::E_INVALID_ARGUMENT,
                  {"query index ", index, " is past the end of the input's ", entries.items.size(),
                   (options.words ? " words" : " tokens"), ", special ones included"});
    }
    const Group& query = entries.groups[index];
    for (std::size_t i = 0; i < query.count; ++i) view.rows.push_back(query.first + i);
    view.queries = {{0, query.count}};
  }
  view.result.tokens = std::move(tokens.items);
  view.result.words = std::move(words.items);
  return view;
}

// How much of the queries' attention went to each special token, added up over queries and heads of one
// layer.
void add_special_share(const Tensor& layer, const View& view, std::vector<double>& shares) {
  const Tensor to_specials = attention::merge(layer, view.queries, view.specials);
  for (std::size_t i = 0; i < to_specials.data.size(); ++i) shares[i % shares.size()] += to_specials.data[i];
}

template <typename Option>
Reduction reduction(Option option) {
  return option == Option::max ? Reduction::max : Reduction::mean;
}

class AttentionTask final : public GroupedTask<AttentionResult> {
 public:
  AttentionTask(const Model& model, std::span<const Input> inputs, const AttentionOptions& options)
      : GroupedTask(model, inputs, options.text),
        options_(options),
        classifies_(classifies(model.info())),
        views_(inputs.size()) {
    start();
  }

 private:
  std::vector<Encoding> encode(std::size_t input) override {
    std::vector<Encoding> passages = fit(input);
    views_[input] = make_view(passages.front(), inputs()[input], options_);
    return passages;
  }

  ForwardOptions forward_options(std::size_t input) const override {
    return {.logits = classifies_,
            .attentions = true,
            .layers = options_.layers,
            .heads = options_.heads,
            .attention_queries = views_[input].rows};
  }

  bool may_share_group(std::size_t first, std::size_t other) const override {
    return views_[first].rows == views_[other].rows;
  }

  AttentionResult make_result(std::size_t input, std::vector<ForwardResult> passages) override {
    ForwardResult& forward = passages.front();
    View view = std::move(views_[input]);
    AttentionResult& result = view.result;
    result.truncated = std::move(truncated(input));
    if (classifies_) result.labels = label_scores(forward.logits->data, model().info());

    std::vector<Tensor> layers;
    std::vector<double> shares(view.specials.size());
    double rows = 0;  // over which the shares are added up
    for (Tensor& layer : forward.attentions) {
      const Tensor whole = std::move(layer);  // is let go when it is merged: all layers together are large
      rows += static_cast<double>(whole.shape[0] * view.queries.size());
      add_special_share(whole, view, shares);
      layers.push_back(attention::merge(whole, view.queries, view.keys));
    }
    for (std::size_t i = 0; i < shares.size() && rows > 0; ++i) {
      result.special_share[i].second = static_cast<float>(shares[i] / rows);
    }
    reduce_and_scale(layers);
    join(layers, result);
    return std::move(result);
  }

  void reduce_and_scale(std::vector<Tensor>& layers) const {
    const bool one_layer = options_.reduce_layers != LayerReduction::none;
    const bool one_head = options_.reduce_heads != HeadReduction::none;
    const Reduction of_layers = reduction(options_.reduce_layers),
                    of_heads = reduction(options_.reduce_heads);
    // Where the order does not matter the heads come first: a layer's mean is that of the heads it has.
    const bool heads_first = !one_layer || of_layers == of_heads;
    const auto reduce_heads = [&] {
      for (Tensor& layer : layers) layer = attention::reduce_heads(layer, of_heads);
    };
    if (one_head && heads_first) reduce_heads();
    if (one_layer) {
      if (!one_head || !heads_first) spread(layers);
      layers = {attention::reduce_layers(layers, of_layers)};
    }
    if (one_head && !heads_first) reduce_heads();
    for (Tensor& layer : layers) {
      if (options_.scale == AttentionScale::minmax_heads) attention::scale_minmax_heads(layer);
      if (options_.scale == AttentionScale::sum) attention::scale_rows_to_sum(layer);
    }
    if (!one_layer && !one_head) spread(layers);
  }

  // Gives each layer of a pruned model all the heads asked for, so that layers have one shape.
  void spread(std::vector<Tensor>& layers) const {
    const ModelInfo& info = model().info();
    if (info.pruned_heads.empty()) return;
    const auto heads = resolve_indices(options_.heads, info.num_attention_heads, "head");
    const auto numbers = resolve_indices(options_.layers, info.num_hidden_layers, "layer");
    for (std::size_t slot = 0; slot < layers.size(); ++slot) {
      layers[slot] = attention::spread_heads(layers[slot], heads, info.pruned_heads[numbers[slot]]);
    }
  }

  // [heads, queries, keys] of each layer -> result.weights with the axes that are left.
  void join(std::vector<Tensor>& layers, AttentionResult& result) const {
    const auto keep = [&result](const char* name, std::size_t size) {
      result.axes.push_back(name);
      result.weights.shape.push_back(size);
    };
    const std::vector<std::size_t> shape = layers.front().shape;
    if (options_.reduce_layers == LayerReduction::none && options_.layers.size() != 1)
      keep("layer", layers.size());
    if (options_.reduce_heads == HeadReduction::none && options_.heads.size() != 1) keep("head", shape[0]);
    if (options_.query == AttentionQuery::all) keep("query", shape[1]);
    keep("key", shape[2]);

    result.weights.data.reserve(layers.size() * layers.front().data.size());
    for (Tensor& layer : layers) {
      result.weights.data.insert(result.weights.data.end(), layer.data.begin(), layer.data.end());
      layer = {};
    }
  }

  AttentionOptions options_;
  bool classifies_;
  std::vector<View> views_;
};

}  // namespace

std::vector<AttendedToken> attended_tokens(const Encoding& encoding) { return tokens_of(encoding).items; }

std::vector<AttendedToken> attended_words(const Encoding& encoding, const Input& input) {
  return words_of(tokens_of(encoding), encoding, input).items;
}

std::unique_ptr<Task<AttentionResult>> begin_attention(const Model& model, std::span<const Input> inputs,
                                                       const AttentionOptions& options) {
  refuse_windows(options.text, "attention");
  if (options.scale == AttentionScale::minmax_heads && options.reduce_heads != HeadReduction::none) {
    throw_error(ErrorCode::E_INVALID_ARGUMENT,
                "scaling over the heads needs heads that are not reduced to one");
  }
  return std::make_unique<AttentionTask>(model, inputs, options);
}

}  // namespace headlight
