#include "headlight.h"
#include "text/read_tokenizer.h"
#include "text/tokenizer_model.h"

namespace headlight {

Tokenizer Tokenizer::from_files(std::span<const File> files) {
  return Tokenizer(std::make_shared<const TokenizerModel>(read_tokenizer(files)));
}

Encoding Tokenizer::encode(const Input& input, const TokenizeOptions& options) const {
  return model_->encode(input, options);
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids, bool skip_special_tokens) const {
  return model_->decode(ids, skip_special_tokens);
}

std::string Tokenizer::join(std::span<const std::string> tokens) const {
  return model_->join({tokens.begin(), tokens.end()});
}

bool Tokenizer::marks_continuations() const { return model_->marks_continuations(); }

std::optional<std::int32_t> Tokenizer::token_to_id(std::string_view token) const {
  return model_->token_to_id(token);
}
std::optional<std::string> Tokenizer::id_to_token(std::int32_t id) const { return model_->id_to_token(id); }
std::size_t Tokenizer::vocab_size() const { return model_->vocab_size(); }
std::optional<std::size_t> Tokenizer::model_max_length() const { return model_->model_max_length(); }
std::optional<std::int32_t> Tokenizer::cls_id() const { return model_->special_ids().cls; }
std::optional<std::int32_t> Tokenizer::sep_id() const { return model_->special_ids().sep; }
std::optional<std::int32_t> Tokenizer::pad_id() const { return model_->special_ids().pad; }
std::optional<std::int32_t> Tokenizer::mask_id() const { return model_->special_ids().mask; }
std::optional<std::int32_t> Tokenizer::unk_id() const { return model_->special_ids().unk; }

}  // namespace headlight
