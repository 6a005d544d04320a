// An object in memory that forked processes share.
#pragma once

#include <sys/mman.h>

#include <new>

namespace linchpin::explorer {

/// @pre T has nothing to destroy, and its atomics are lock-free
template <class T>
class SharedMemory {
 public:
  SharedMemory() {
    void* const memory = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) object_ = new (memory) T;
  }
  ~SharedMemory() {
    if (object_ != nullptr) munmap(object_, sizeof(T));
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  /// Null: there is no memory.
  [[nodiscard]] T* get() const { return object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace linchpin::explorer
