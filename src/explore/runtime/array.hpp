// An array that never moves: address space is reserved once, and the system gives memory where it is touched. Used
// instead of the standard library's containers, whose instantiations the code under test may share, instrumented.
#pragma once

#include <sys/mman.h>
#include <cstddef>

namespace linchpin::explorer {

/// `count` elements of zeros, which cost nothing until they are touched; null if there is no address space.
template <class T>
T* reserve(std::size_t count) {
  void* const memory =
      mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<T*>(memory);
}

/// Elements are trivial; those beyond size() keep what they held before.
template <class T>
class Array {
 public:
  bool prepare(std::size_t most) {
    if (elements_ == nullptr) elements_ = reserve<T>(most);
    most_ = most;
    return elements_ != nullptr;
  }
  [[nodiscard]] bool full() const { return size_ == most_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  T& push() { return elements_[size_++]; }
  void push(const T& element) { elements_[size_++] = element; }
  void shrink(std::size_t size) { size_ = size; }
  void clear() { size_ = 0; }
  T& operator[](std::size_t i) { return elements_[i]; }
  const T& operator[](std::size_t i) const { return elements_[i]; }
  T& back() { return elements_[size_ - 1]; }
  [[nodiscard]] const T* begin() const { return elements_; }
  [[nodiscard]] const T* end() const { return elements_ + size_; }

 private:
  T* elements_ = nullptr;
  std::size_t size_ = 0, most_ = 0;
};

}  // namespace linchpin::explorer
