// A growing byte buffer that is not cleared before it is filled, and reports a lack of memory instead of throwing.
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
    const std::size_t wanted = size_ + more;
    if (wanted < size_) return false;
    return grow_to(2 * capacity_, wanted) || grow_to(wanted, wanted);
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
  /// To `capacity` or, where that is more, to `least`.
  bool grow_to(std::size_t capacity, std::size_t least) {
    if (capacity < least) capacity = least;
    void* const grown = std::realloc(data_, capacity);
    if (grown == nullptr) return false;
    data_ = static_cast<char*>(grown);
    capacity_ = capacity;
    return true;
  }

  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace linchpin::formats
