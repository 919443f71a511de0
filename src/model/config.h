// config.json, read and checked: the names are Hugging Face's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "concat.h"
#include "json_document.h"
#include "ops/activation.h"

namespace headlight {

// Typed access to config.json; every failure is an E_INVALID_CONFIG or E_UNSUPPORTED_OPTION that names the key.
class ConfigFile {
 public:
  static ConfigFile parse(std::string_view text);

  bool has(std::string_view key) const;  // present and not null
  // Larger numbers are mistakes and would overflow products.
  static constexpr std::size_t kMaxSize = std::size_t{1} << 24;
  // Layers are built before the weights' header can contradict their number.
  static constexpr std::size_t kMaxLayers = 1024;

  // A whole number from 1 to at_most.
  std::size_t size(std::string_view key, std::size_t at_most = kMaxSize) const;
  std::size_t size_or(std::string_view key, std::size_t otherwise) const;
  // A whole number from 0 on.
  std::size_t index_or(std::string_view key, std::size_t otherwise) const;
  // A whole number; missing or less than 1 (as -1, "not set"): otherwise.
  std::size_t set_size_or(std::string_view key, std::size_t otherwise) const;
  // A list of `count` whole numbers from 1 on, or one that stands for all.
  std::vector<std::size_t> sizes(std::string_view key, std::size_t count) const;
  // pruned_heads, {"LAYER": [HEAD, …]}: [layers], ascending, each less than all `heads`; none pruned or missing: empty.
  std::vector<std::vector<std::size_t>> pruned_heads(std::size_t layers, std::size_t heads) const;
  float positive_or(std::string_view key, float otherwise) const;
  bool flag_or(std::string_view key, bool otherwise) const;
  std::string text_or(std::string_view key, std::string_view otherwise) const;
  // A list of strings, or one string of them with a separator between; missing: empty.
  std::vector<std::string> names(std::string_view key, char separator = ',') const;
  std::optional<ConfigFile> object(std::string_view key) const;  // none where it is missing
  Activation activation_or(std::string_view key, std::string_view otherwise) const;
  void forget_architecture() { json_.erase("architectures"); }
  std::string architecture() const;         // the first of "architectures", or ""
  std::vector<std::string> labels() const;  // from id2label, "LABEL_0" … where it is missing
  // Throws E_UNSUPPORTED_OPTION unless the key is absent or has this value.
  void require(std::string_view key, std::string_view value) const;
  void require_number(std::string_view key, std::size_t value) const;
  void require_flag(std::string_view key, bool value) const;

 private:
  explicit ConfigFile(Json json) : json_(std::move(json)) {}
  const Json* find(std::string_view key) const;
  [[noreturn]] static void fail_required(std::string_view key, const Json& found);

  Json json_;
};

[[noreturn]] void fail_config(const TextPiece& message);
[[noreturn]] void fail_unsupported_option(const TextPiece& message);

}  // namespace headlight
