#include "text/decoders.h"

#include <string_view>

#include "text/utf8.h"

namespace headlight {

namespace {

class SequenceDecoder : public Decoder {
 public:
  explicit SequenceDecoder(std::vector<std::unique_ptr<Decoder>> decoders) : decoders_(std::move(decoders)) {}
  void decode(std::vector<std::string>& tokens) const override {
    for (const auto& decoder : decoders_) decoder->decode(tokens);
  }

 private:
  std::vector<std::unique_ptr<Decoder>> decoders_;
};

std::string replace_all(const Regex& pattern, std::string_view text, std::string_view content) {
  const std::u32string code_points = decode_utf8(text);
  const std::u32string_view all = code_points;
  std::string result;
  std::size_t done = 0;
  for (const auto& [begin, end] : pattern.find_all(all)) {
    result += encode_utf8(all.substr(done, begin - done));
    result += content;
    done = end;
  }
  return result += encode_utf8(all.substr(done));
}

class ReplaceDecoder : public Decoder {
 public:
  ReplaceDecoder(Regex pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}
  void decode(std::vector<std::string>& tokens) const override {
    for (std::string& token : tokens) {
      if (!token.empty()) token = replace_all(pattern_, token, content_);
    }
  }

 private:
  Regex pattern_;
  std::string content_;
};

class StripDecoder : public Decoder {
 public:
  StripDecoder(char32_t content, std::size_t start, std::size_t stop) : start_(start), stop_(stop) {
    append_utf8(content_, content);
  }
  void decode(std::vector<std::string>& tokens) const override {
    for (std::string& token : tokens) {
      for (std::size_t i = 0; i < start_ && token.starts_with(content_); ++i) token.erase(0, content_.size());
      for (std::size_t i = 0; i < stop_ && token.ends_with(content_); ++i) {
        token.resize(token.size() - content_.size());
      }
    }
  }

 private:
  std::string content_;
  std::size_t start_, stop_;
};

class FuseDecoder : public Decoder {
 public:
  void decode(std::vector<std::string>& tokens) const override {
    std::string all;
    for (const std::string& token : tokens) all += token;
    tokens.assign(1, std::move(all));
  }
};

class BpeDecoder : public Decoder {
 public:
  explicit BpeDecoder(const std::string& suffix) : suffix_(Regex::literal(decode_utf8(suffix))) {}
  void decode(std::vector<std::string>& tokens) const override {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      tokens[i] = replace_all(suffix_, tokens[i], i + 1 < tokens.size() ? " " : "");
    }
  }

 private:
  Regex suffix_;
};

}  // namespace

std::unique_ptr<Decoder> make_sequence_decoder(std::vector<std::unique_ptr<Decoder>> decoders) {
  return std::make_unique<SequenceDecoder>(std::move(decoders));
}

std::unique_ptr<Decoder> make_replace_decoder(Regex pattern, std::string content) {
  return std::make_unique<ReplaceDecoder>(std::move(pattern), std::move(content));
}

std::unique_ptr<Decoder> make_strip_decoder(char32_t content, std::size_t start, std::size_t stop) {
  return std::make_unique<StripDecoder>(content, start, stop);
}

std::unique_ptr<Decoder> make_fuse_decoder() { return std::make_unique<FuseDecoder>(); }

std::unique_ptr<Decoder> make_bpe_decoder(std::string suffix) { return std::make_unique<BpeDecoder>(suffix); }

}  // namespace headlight
