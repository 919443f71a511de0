#include "text/sentencepiece_merges.h"

#include <algorithm>
#include <utility>

#include "heap_sort.h"
#include "text/utf8.h"

namespace headlight {

MergeList merges_of_pieces(const SentencePieceFile& file, const Vocabulary& vocabulary,
                           const std::vector<double>& scores) {
  Vocabulary::Builder builder;
  builder.set_repeated(Vocabulary::Builder::Repeated::last_found);
  for (const auto& piece : file.pieces) builder.add(piece.text, static_cast<std::int32_t>(builder.size()));
  const Vocabulary ids(std::move(builder), {});  // of the file's pieces

  struct Merge {
    std::string_view left, right;
    double score;
    std::uint32_t left_length, right_length;  // code points
    std::size_t place;                        // among the merges before they were ordered
  };
  std::vector<Merge> merges;
  for (std::int32_t id = 0; id < vocabulary.id_end(); ++id) {
    const std::string_view token = *vocabulary.token(id);
    const auto length =
        static_cast<std::uint32_t>(std::count_if(token.begin(), token.end(), begins_code_point));
    struct Cut {
      std::int32_t left_id, right_id;
      Merge merge;
    };
    std::vector<Cut> cuts;
    std::uint32_t left_length = 1;
    for (std::size_t at = 1; at < token.size(); ++at) {
      if (!begins_code_point(token[at])) continue;
      const std::string_view left = token.substr(0, at), right = token.substr(at);
      const auto left_id = ids.find(left), right_id = ids.find(right);
      if (left_id && right_id) {
        const double score = scores[static_cast<std::size_t>(*vocabulary.find(token))];
        cuts.push_back({*left_id, *right_id, {left, right, score, left_length, length - left_length, 0}});
      }
      ++left_length;
    }
    heap_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) {
      return a.left_id != b.left_id ? a.left_id < b.left_id : a.right_id < b.right_id;
    });
    for (Cut& cut : cuts) {
      cut.merge.place = merges.size();
      merges.push_back(cut.merge);
    }
  }
  heap_sort(merges.begin(), merges.end(), [](const Merge& a, const Merge& b) {
    if (a.score != b.score) return a.score > b.score;
    if (a.left_length != b.left_length) return a.left_length > b.left_length;
    if (a.right_length != b.right_length) return a.right_length > b.right_length;
    return a.place < b.place;
  });
  MergeList result;
  for (const Merge& merge : merges) result.add(merge.left, merge.right);
  return result;
}

}  // namespace headlight
