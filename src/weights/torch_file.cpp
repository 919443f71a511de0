#include "weights/torch_file.h"
#include "throw_error.h"

#include <algorithm>

#include "headlight.h"
#include "weights/torch_stream.h"
#include "weights/torch_zip.h"

namespace headlight {
namespace {

constexpr std::size_t kBeginning = 8;

}  // namespace

void TorchReader::feed(std::span<const std::byte> bytes) {
  if (!reader_) {
    const std::size_t count = std::min(kBeginning - beginning_.size(), bytes.size());
    beginning_.append(reinterpret_cast<const char*>(bytes.data()), count);
    bytes = bytes.subspan(count);
    if (beginning_.size() < kBeginning) return;
    refuse_other_files(beginning_, file_);
    if (beginning_.starts_with("PK")) {
      reader_ = std::make_unique<TorchZipReader>(file_, std::move(visitor_));
    } else if (beginning_.starts_with("\x80\x02")) {
      reader_ = std::make_unique<TorchStreamReader>(file_, std::move(visitor_));
    } else {
      throw_error(ErrorCode::E_MODEL_CORRUPT, "The file is neither of the forms that torch.save writes",
                  {.file = file_, .offset = 0});
    }
    reader_->feed(std::as_bytes(std::span(beginning_)));
  }
  reader_->feed(bytes);
}

void TorchReader::end() {
  if (reader_) return reader_->end();
  throw_error(ErrorCode::E_MODEL_TRUNCATED, {"The file ends after ", beginning_.size(), " bytes"},
              {.file = file_, .offset = beginning_.size()});
}

}  // namespace headlight
