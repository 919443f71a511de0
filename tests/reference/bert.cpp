#include "reference/bert.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <stdexcept>

#include "support/closeness.h"
#include "support/files.h"

namespace headlight::reference {
namespace {

using Eigen::Index;

// Row by row: e^(x - max) / sum.
Matrix softmax(const Matrix& x) {
  Matrix result = (x.colwise() - x.rowwise().maxCoeff()).array().exp().matrix();
  const Eigen::VectorXd sums = result.rowwise().sum();
  for (Index i = 0; i < result.rows(); ++i) result.row(i) /= sums(i);
  return result;
}

// Matrices one after the other as a float32 tensor; padded rows (and columns where `square`) left out.
Tensor stack(const std::vector<Matrix>& parts, const std::vector<std::int32_t>& mask, bool square = false) {
  Tensor tensor{
      {},
      {parts.size(), static_cast<std::size_t>(parts[0].rows()), static_cast<std::size_t>(parts[0].cols())}};
  for (const Matrix& part : parts)
    tensor.data.insert(tensor.data.end(), part.data(), part.data() + part.size());
  return test::without_padding(tensor, mask,
                               square ? std::vector<std::size_t>{1, 2} : std::vector<std::size_t>{1});
}

// [n, m] -> [m] tensor of one row, or the whole without padded rows.
Tensor row(const Matrix& x) {
  return {{x.data(), x.data() + x.cols()}, {static_cast<std::size_t>(x.cols())}};
}

Tensor rows(const Matrix& x, const std::vector<std::int32_t>& mask) {
  Tensor tensor = stack({x}, mask);
  tensor.shape.erase(tensor.shape.begin());
  return tensor;
}

Tensor column(const Matrix& x, Index index, const std::vector<std::int32_t>& mask) {
  Tensor tensor = rows(x.col(index), mask);
  tensor.shape.pop_back();
  return tensor;
}

}  // namespace

Bert::Bert(const std::filesystem::path& folder) : tensors_(test::read_tensors(folder / "model.safetensors")) {
  const auto config = nlohmann::json::parse(test::read_file(folder / "config.json"));
  architecture_ = config["architectures"][0];
  hidden_act_ = config["hidden_act"];
  position_embedding_type_ = config.value("position_embedding_type", "absolute");
  num_attention_heads_ = config["num_attention_heads"];
  num_hidden_layers_ = config["num_hidden_layers"];
  head_size_ = config["hidden_size"].get<Index>() / num_attention_heads_;
  layer_norm_eps_ = config["layer_norm_eps"];
}

ForwardResult Bert::forward(const Encoding& encoding) const {
  const std::vector<std::int32_t>& mask = encoding.attention_mask;
  ForwardResult result;
  Matrix hidden = embeddings(encoding);
  std::vector<Matrix> hidden_states{hidden};

  for (Index i = 0; i < num_hidden_layers_; ++i) {
    const std::string layer = "encoder.layer." + std::to_string(i) + ".";
    const Attention attention = self_attention(hidden, mask, layer);
    const Matrix attended = layer_norm(linear(attention.context, layer + "attention.output.dense") + hidden,
                                       layer + "attention.output.LayerNorm");
    const Matrix intermediate = activation(linear(attended, layer + "intermediate.dense"));
    hidden = layer_norm(linear(intermediate, layer + "output.dense") + attended, layer + "output.LayerNorm");

    hidden_states.push_back(hidden);
    result.attentions.push_back(stack(attention.probs, mask, true));
    const auto by_head = [&](const Matrix& x) {
      std::vector<Matrix> heads;
      for (Index h = 0; h < num_attention_heads_; ++h)
        heads.push_back(x.middleCols(h * head_size_, head_size_));
      return stack(heads, mask);
    };
    result.queries.push_back(by_head(attention.query));
    result.keys.push_back(by_head(attention.key));
    result.values.push_back(by_head(attention.value));
  }
  result.hidden_states = stack(hidden_states, mask);
  result.last_hidden_state = rows(hidden, mask);

  Matrix pooled;
  if (tensors_.contains("bert.pooler.dense.weight") || tensors_.contains("pooler.dense.weight")) {
    pooled = linear(hidden.row(0), "pooler.dense").array().tanh();
    result.pooler_output = row(pooled);
  }
  if (architecture_ == "BertModel") return result;
  const Matrix logits = head(hidden, pooled);
  if (architecture_ == "BertForQuestionAnswering") {
    result.start_logits = column(logits, 0, mask);
    result.end_logits = column(logits, 1, mask);
  } else {
    const bool per_sequence =
        architecture_ == "BertForSequenceClassification" || architecture_ == "BertForNextSentencePrediction";
    result.logits = per_sequence ? row(logits) : rows(logits, mask);
  }
  return result;
}

Matrix Bert::embeddings(const Encoding& encoding) const {
  const Matrix words = weight("embeddings.word_embeddings.weight");
  const Matrix types = weight("embeddings.token_type_embeddings.weight");
  const Matrix positions = weight("embeddings.position_embeddings.weight");
  Matrix sum(encoding.size(), words.cols());
  for (Index i = 0; i < sum.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    sum.row(i) = words.row(encoding.ids[at]) + types.row(encoding.type_ids[at]);
    if (position_embedding_type_ == "absolute") sum.row(i) += positions.row(i);
  }
  return layer_norm(sum, "embeddings.LayerNorm");
}

// softmax(Q K^T / sqrt(head_size)) V, head by head.
Bert::Attention Bert::self_attention(const Matrix& hidden, const std::vector<std::int32_t>& mask,
                                     const std::string& layer) const {
  Attention attention{linear(hidden, layer + "attention.self.query"),
                      linear(hidden, layer + "attention.self.key"),
                      linear(hidden, layer + "attention.self.value"),
                      {},
                      Matrix(hidden.rows(), hidden.cols())};
  for (Index h = 0; h < num_attention_heads_; ++h) {
    const Index first = h * head_size_;
    const Matrix query = attention.query.middleCols(first, head_size_);
    const Matrix key = attention.key.middleCols(first, head_size_);
    Matrix scores = query * key.transpose();
    if (position_embedding_type_ != "absolute") scores += relative_scores(query, key, layer);
    scores /= std::sqrt(static_cast<double>(head_size_));
    for (Index r = 0; r < scores.cols(); ++r) {
      if (!mask[static_cast<std::size_t>(r)])
        scores.col(r).setConstant(-std::numeric_limits<double>::infinity());
    }
    attention.probs.push_back(softmax(scores));
    attention.context.middleCols(first, head_size_) =
        attention.probs.back() * attention.value.middleCols(first, head_size_);
  }
  return attention;
}

// relative_key: q_l . e(l - r) (Shaw et al. 2018); relative_key_query: + k_r . e(l - r) (Huang et al. 2020,
// method 4).
Matrix Bert::relative_scores(const Matrix& query, const Matrix& key, const std::string& layer) const {
  const Matrix distances = weight(layer + "attention.self.distance_embedding.weight");
  const Index zero = distances.rows() / 2;
  Matrix scores(query.rows(), key.rows());
  for (Index l = 0; l < scores.rows(); ++l) {
    for (Index r = 0; r < scores.cols(); ++r) {
      const auto e = distances.row(l - r + zero);
      scores(l, r) = query.row(l).dot(e);
      if (position_embedding_type_ == "relative_key_query") scores(l, r) += key.row(r).dot(e);
    }
  }
  return scores;
}

Matrix Bert::head(const Matrix& hidden, const Matrix& pooled) const {
  if (architecture_ == "BertForSequenceClassification") return linear(pooled, "classifier");
  if (architecture_ == "BertForNextSentencePrediction") return linear(pooled, "cls.seq_relationship");
  if (architecture_ == "BertForTokenClassification") return linear(hidden, "classifier");
  if (architecture_ == "BertForQuestionAnswering") return linear(hidden, "qa_outputs");
  if (architecture_ != "BertForMaskedLM") throw std::runtime_error("no head for " + architecture_);
  const Matrix transformed = layer_norm(activation(linear(hidden, "cls.predictions.transform.dense")),
                                        "cls.predictions.transform.LayerNorm");
  const Matrix decoded = transformed * weight("embeddings.word_embeddings.weight").transpose();
  return decoded.rowwise() + weight("cls.predictions.bias").row(0);
}

Matrix Bert::weight(const std::string& name) const {
  auto found = tensors_.find(name);
  if (found == tensors_.end()) found = tensors_.find("bert." + name);
  if (found == tensors_.end()) throw std::runtime_error("no tensor " + name);
  const auto& [data, shape] = found->second;
  const auto columns = static_cast<Index>(shape.back());
  return Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>(
             data.data(), static_cast<Index>(data.size()) / columns, columns)
      .cast<double>();
}

// x W^T + b
Matrix Bert::linear(const Matrix& x, const std::string& name) const {
  const Matrix product = x * weight(name + ".weight").transpose();
  return product.rowwise() + weight(name + ".bias").row(0);
}

// Ba et al. 2016. Checkpoints from TensorFlow call weight and bias gamma and beta.
Matrix Bert::layer_norm(const Matrix& x, const std::string& name) const {
  const bool old = tensors_.contains(name + ".gamma") || tensors_.contains("bert." + name + ".gamma");
  const Matrix gain = weight(name + (old ? ".gamma" : ".weight")),
               shift = weight(name + (old ? ".beta" : ".bias"));
  Matrix result(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    const Matrix centred = x.row(i).array() - x.row(i).mean();
    const double variance = centred.squaredNorm() / static_cast<double>(x.cols());
    result.row(i) = centred.array() / std::sqrt(variance + layer_norm_eps_) * gain.array() + shift.array();
  }
  return result;
}

Matrix Bert::activation(const Matrix& x) const {
  if (hidden_act_ == "gelu") {  // Hendrycks & Gimpel 2016
    return x.unaryExpr([](double v) { return v / 2 * (1 + std::erf(v / std::numbers::sqrt2)); });
  }
  if (hidden_act_ == "gelu_new") {  // the approximation of the same paper
    return x.unaryExpr([](double v) {
      return v / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (v + 0.044715 * v * v * v)));
    });
  }
  if (hidden_act_ == "relu") return x.cwiseMax(0);
  if (hidden_act_ == "silu") return x.array() / (1 + (-x.array()).exp());
  if (hidden_act_ == "tanh") return x.array().tanh();
  throw std::runtime_error("no activation " + hidden_act_);
}

}  // namespace headlight::reference
