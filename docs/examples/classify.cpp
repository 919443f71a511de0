// Classifies a sentence natively: classify models/sentiment-en "The movie was absolutely fantastic!"
#include <cstdio>

#include "headlight.h"

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: classify MODEL TEXT\n"), 2;
  try {
    const auto model = headlight::Model::load(argv[1]);
    const headlight::Input input{.text = argv[2], .text_pair = {}};
    const auto results = model.classify({&input, 1});
    for (const auto& [label, score] : results.front().labels) {
      std::printf("%s %.4f\n", label.c_str(), score);
    }
  } catch (const headlight::Error& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
}
