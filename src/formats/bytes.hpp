// A growing byte buffer that is not cleared before it is filled and reports a want of memory instead of throwing.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <utility>

namespace linchpin::formats {

class Bytes {
 public:
  Bytes() = default;
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes() { std::free(data_); }

  /// Makes room for at least `more` bytes after the end; false: there is no memory.
  [[nodiscard]] bool make_room(std::size_t more) {
    if (capacity_ - size_ >= more) return true;
    std::size_t wanted = size_ + more;
    if (wanted < size_) return false;
    if (wanted < 2 * capacity_) wanted = 2 * capacity_;
    void* const grown = std::realloc(data_, wanted);
    if (grown == nullptr) return false;
    data_ = static_cast<char*>(grown);
    capacity_ = wanted;
    return true;
  }
  [[nodiscard]] char* end() { return data_ + size_; }
  [[nodiscard]] std::size_t room() const { return capacity_ - size_; }
  void grew(std::size_t bytes) { size_ += bytes; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The buffer, which the caller frees.
  [[nodiscard]] char* release() {
    size_ = capacity_ = 0;
    return std::exchange(data_, nullptr);
  }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace linchpin::formats
