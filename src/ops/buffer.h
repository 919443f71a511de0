// Float memory that is not cleared: every operator writes before it reads.
#pragma once

#include <cstddef>
#include <memory>

namespace headlight {

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : data_(std::make_unique_for_overwrite<float[]>(size)), size_(size) {}

  float* data() { return data_.get(); }
  const float* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  // Keeps memory that is large enough; else the contents are lost.
  void reserve(std::size_t size) {
    if (size > size_) *this = Buffer(size);
  }

 private:
  std::unique_ptr<float[]> data_;
  std::size_t size_ = 0;
};

}  // namespace headlight
