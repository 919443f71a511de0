// The BERT encoder in float64, written to be read beside the papers rather than to be fast:
// Devlin et al. 2019, "BERT"; Vaswani et al. 2017, "Attention Is All You Need"; Shaw et al. 2018 and Huang et
// al. 2020 for relative positions. Names are those of Hugging Face's checkpoints. Padding is computed and
// masked, as there.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

#include "headlight.h"
#include "support/tensor_file.h"

namespace headlight::reference {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class Bert {
 public:
  // A Hugging Face folder: config.json and model.safetensors.
  explicit Bert(const std::filesystem::path& folder);

  // Everything that a ForwardResult can hold, rounded to float32 at the end; rows and columns of padding left
  // out.
  ForwardResult forward(const Encoding& encoding) const;

 private:
  struct Attention {
    Matrix query, key, value;   // [n, hidden_size]
    std::vector<Matrix> probs;  // [n, n] a head
    Matrix context;             // [n, hidden_size]
  };

  Matrix embeddings(const Encoding& encoding) const;
  Attention self_attention(const Matrix& hidden, const std::vector<std::int32_t>& mask,
                           const std::string& layer) const;
  Matrix relative_scores(const Matrix& query, const Matrix& key, const std::string& layer) const;
  Matrix head(const Matrix& hidden, const Matrix& pooled) const;

  Matrix weight(const std::string& name) const;  // [rows, columns]; a vector is one row
  Matrix linear(const Matrix& x, const std::string& name) const;
  Matrix layer_norm(const Matrix& x, const std::string& name) const;
  Matrix activation(const Matrix& x) const;

  test::Tensors tensors_;
  std::string architecture_;
  std::string hidden_act_;
  std::string position_embedding_type_;
  Eigen::Index num_attention_heads_;
  Eigen::Index num_hidden_layers_;
  Eigen::Index head_size_;
  double layer_norm_eps_;
};

}  // namespace headlight::reference
